package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.AgentApprovals.Approval;
import io.hiroba.agents.AgentApprovals.Argument;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** The page on which somebody decides what an agent may do for them. */
public final class AgentApprovalPages implements Routes {

    private static final String ONE = AgentApprovals.PATH + "{id}";

    private final Shell shell;
    private final Readers readers;
    private final Agents agents;
    private final AgentApprovals approvals;

    AgentApprovalPages(Shell shell, Readers readers, Agents agents, AgentApprovals approvals) {
        this.shell = shell;
        this.readers = readers;
        this.agents = agents;
        this.approvals = approvals;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ONE, ctx -> show(ctx, Form.EMPTY));
        routes.post(ONE, this::decide);
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    private void show(Context ctx, Form form) {
        var approval = approvals.find(Caller.of(ctx), id(ctx)).orElseThrow(AgentsProblem::approvalNotFound);
        var name = agents.get(approval.agent()).profile().user().nickname().value();
        shell.page(
                ctx,
                Text.verbatim(approval.title()),
                "agents/approval",
                Map.of("approval", ApprovalPage.of(approval, name, readers.reader(ctx)), "form", form));
    }

    private void decide(Context ctx) {
        var form = Form.of(ctx, "comment");
        boolean approve = switch (String.valueOf(ctx.formParam("decision"))) {
            case "approve" -> true;
            case "reject" -> false;
            default -> throw AgentsProblem.invalid("decision", Text.of("agents.field.decision"));
        };
        try {
            approvals.decide(Caller.of(ctx), id(ctx), approve, form.value("comment"));
            shell.seeOther(
                    ctx, "/inbox", Text.of(approve ? "agents.approval.you-approved" : "agents.approval.you-rejected"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, AgentApprovals.PATH + ctx.pathParam("id"));
            show(ctx, form.refused(refusal));
        }
    }

    /** The view of an approval. */
    public record ApprovalPage(
            String path,
            String title,
            String agent,
            String agentPath,
            String question,
            String tool,
            List<Argument> arguments,
            String state,
            String colour,
            String comment,
            String outcome,
            String until,
            boolean isOpen) {

        public ApprovalPage {
            arguments = List.copyOf(arguments);
        }

        static ApprovalPage of(Approval approval, String agent, Reader reader) {
            return new ApprovalPage(
                    AgentApprovals.PATH + Ids.hex(approval.id()),
                    approval.title(),
                    agent,
                    AgentPages.PATH + "/" + approval.agent(),
                    approval.question(),
                    approval.tool(),
                    approval.arguments(),
                    reader.text("agents.approval.state." + approval.state()),
                    switch (approval.state()) {
                        case "open" -> "waiting";
                        case "approved" -> "completed";
                        default -> "partial";
                    },
                    approval.comment(),
                    approval.outcome().isEmpty() ? "" : reader.text("agents.approval.outcome." + approval.outcome()),
                    reader.exact(approval.deadline()),
                    approval.isOpen());
        }
    }
}
