package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.Approvals;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.pages.SagaPageModel.ApprovalCard;
import io.hiroba.saga.workflow.Step;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The page of a request for approval, for its assignees: with a session, or by the link of a mail. A GET, as link scanners
 * send, decides nothing.
 */
final class ApprovalPages implements Routes {

    private static final String PATH = "/approvals/";
    private static final String MAIL = PATH + "mail/";

    private final Shell shell;
    private final Readers readers;
    private final Approvals approvals;
    private final SagaRoles roles;

    ApprovalPages(Shell shell, Readers readers, Approvals approvals, SagaRoles roles) {
        this.shell = shell;
        this.readers = readers;
        this.approvals = approvals;
        this.roles = roles;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(MAIL + "{token}", ctx -> showLinked(ctx, Form.EMPTY));
        routes.post(MAIL + "{token}", this::decideLinked);
        routes.get(PATH + "{id}", ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH + "{id}", this::decide);
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var approval = approvals.get(caller, id(ctx));
        var card = ApprovalCard.of(
                approval,
                PATH + Ids.hex(approval.id()),
                approval.awaits(caller.user()),
                caller.user(),
                readers.reader(ctx));
        render(ctx, roles.of(caller) != SagaRole.NONE ? card : card.withoutSaga(), form);
    }

    private void decide(Context ctx) {
        var caller = Caller.of(ctx);
        var approval = approvals.get(caller, id(ctx));
        var form = form(ctx, approval.form());
        boolean approve = isApproval(ctx);
        try {
            approvals.decide(caller, approval.id(), approve, form.value("comment"), texts(ctx, approval.form()));
            shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("back"), "/inbox"), notice(approve));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, PATH + ctx.pathParam("id"));
            show(ctx, form.refused(refusal));
        }
    }

    private void showLinked(Context ctx, Form form) {
        var token = ctx.pathParam("token");
        var linked = approvals.linked(token).orElseThrow(SagaProblem::noApproval);
        var card = ApprovalCard.of(
                linked.approval(),
                MAIL + token,
                linked.approval().awaits(linked.user()),
                linked.user(),
                readers.reader(ctx));
        // The address is a key: it is neither kept nor sent along.
        ctx.header("Cache-Control", "no-store").header("Referrer-Policy", "no-referrer");
        // A mail is kept and passed on: once the approval is closed, it tells no more than how that ended.
        boolean open = linked.approval().state() == Approvals.State.OPEN;
        render(ctx, open ? card.withoutSaga() : card.closed(readers.reader(ctx)), form);
    }

    private void decideLinked(Context ctx) {
        var token = ctx.pathParam("token");
        var approval =
                approvals.linked(token).orElseThrow(SagaProblem::noApproval).approval();
        var form = form(ctx, approval.form());
        boolean approve = isApproval(ctx);
        try {
            approvals.decideLinked(token, approve, form.value("comment"), texts(ctx, approval.form()));
            shell.seeOther(ctx, MAIL + token, notice(approve));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, MAIL + token);
            showLinked(ctx, form.refused(refusal));
        }
    }

    private void render(Context ctx, ApprovalCard card, Form form) {
        shell.page(ctx, Text.verbatim(card.title()), "saga/approval", Map.of("approval", card, "form", form));
    }

    private static Text notice(boolean approve) {
        return approve ? Text.of("saga.approval.you-approved") : Text.of("saga.approval.you-rejected");
    }

    /** The button that was pressed; anything else decides nothing. */
    private static boolean isApproval(Context ctx) {
        return switch (String.valueOf(ctx.formParam("decision"))) {
            case "approve" -> true;
            case "reject" -> false;
            default -> throw SagaProblem.invalid("decision", Text.of("saga.field.decision"));
        };
    }

    private static Form form(Context ctx, List<Step.Field> fields) {
        var names = fields.stream().map(field -> ApprovalCard.PREFIX + field.name());
        return Form.of(ctx, Stream.concat(Stream.of("comment"), names).toArray(String[]::new));
    }

    private static Map<String, String> texts(Context ctx, List<Step.Field> fields) {
        var texts = new HashMap<String, String>();
        for (var field : fields) {
            var text = ctx.formParam(ApprovalCard.PREFIX + field.name());
            if (text != null) {
                texts.put(field.name(), text);
            }
        }
        return texts;
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }
}
