package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agents.Found;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.messages.DirectMessages;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The page that asks an agent about a post, a record, a saga or an inbox item, in the private thread with it. */
public final class AskPages implements Routes {

    static final String PATH = AgentPages.PATH + "/ask";
    private static final int MAX_QUOTE = 500;

    private final Shell shell;
    private final Agents agents;
    private final DirectMessages messages;
    private final Idempotency idempotency;

    AskPages(Shell shell, Agents agents, DirectMessages messages, Idempotency idempotency) {
        this.shell = shell;
        this.agents = agents;
        this.messages = messages;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::ask);
        routes.post(PATH, this::send);
    }

    private void ask(Context ctx) {
        var quote = Optional.ofNullable(ctx.queryParam("quote"))
                .map(text -> text.replaceAll("\\s+", " ").strip())
                .filter(text -> !text.isEmpty())
                .map(text -> "> " + RunContext.cut(text, MAX_QUOTE) + "\n\n")
                .orElse("");
        show(
                ctx,
                Form.filled(Map.of(
                        "content",
                        quote,
                        "about",
                        Optional.ofNullable(ctx.queryParam("about")).orElse(""))));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        caller.requireNotActing();
        var choices = agents.callable(caller).stream().map(Choice::of).toList();
        var chosen = form.value("agent").isEmpty() && !choices.isEmpty()
                ? form.with("agent", choices.getFirst().id())
                : form;
        shell.page(
                ctx,
                Text.of("agents.ask.title"),
                "agents/ask",
                Map.of(
                        "ask",
                        new AskView(
                                choices, about(form), chosen, UUID.randomUUID().toString())));
    }

    /** The path of what is asked about; empty if there is none that agents can read. */
    private static String about(Form form) {
        return AskedContext.isReadable(form.value("about")) ? form.value("about") : "";
    }

    private void send(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "agent", "content", "about", "key");
        try {
            var about = about(form);
            var draft = new MessageDraft(form.value("content").replace("\r\n", "\n"), about.isEmpty() ? null : about);
            var agent = chosen(caller, form.value("agent"));
            messages.admit(caller);
            var answer = idempotency.once(ctx, caller.user().hex(), form.value("key"), tx -> {
                var thread = messages.open(tx, caller, List.of(agent)).thread();
                messages.send(tx, caller, thread, draft);
                return Answer.created("/messages/" + thread, Map.of("id", thread.hex()));
            });
            shell.seeOther(ctx, answer.headers().getOrDefault("Location", "/messages"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private UserId chosen(Caller caller, String id) {
        return agents.callable(caller).stream()
                .map(found -> found.agent().id())
                .filter(agent -> Ids.isId(id) && agent.equals(UserId.parse(id)))
                .findFirst()
                .orElseThrow(() -> AgentsProblem.invalid("agent", Text.of("agents.field.callable")));
    }

    /** An agent to choose. */
    public record Choice(String id, String nickname, String personality) {

        static Choice of(Found found) {
            return new Choice(
                    found.agent().id().hex(),
                    found.profile().user().nickname().value(),
                    Optional.ofNullable(found.profile().aiPersonality()).orElse(""));
        }
    }

    /**
     * The form of a question.
     *
     * @param about the path of what is asked about; empty if there is none
     */
    public record AskView(List<Choice> agents, String about, Form form, String key) {

        public AskView {
            agents = List.copyOf(agents);
        }
    }
}
