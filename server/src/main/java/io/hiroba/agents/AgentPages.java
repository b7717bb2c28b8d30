package io.hiroba.agents;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.PostCard;
import io.hiroba.social.pages.Additions;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pages of agents: all of them, and one with what it can do, its runs and, for admins, its settings. */
public final class AgentPages implements Routes, Additions {

    static final String PATH = "/agents";

    private static final String ONE = PATH + "/{id}";
    private static final int MAX_SHOWN = 200;
    private static final int PAGE_SIZE = 30;

    private final Shell shell;
    private final Readers readers;
    private final Agents agents;
    private final RunFeedback feedback;
    private final Cursors cursors;
    private final AgentMakers makers;
    private final RunDetails details;

    AgentPages(
            Shell shell,
            Readers readers,
            Agents agents,
            RunFeedback feedback,
            Cursors cursors,
            AgentMakers makers,
            RunDetails details) {
        this.makers = makers;
        this.details = details;
        this.shell = shell;
        this.readers = readers;
        this.agents = agents;
        this.feedback = feedback;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> list(ctx, null));
        routes.post(PATH, this::create);
        routes.get(ONE, ctx -> show(ctx, null));
        routes.get(PATH + "/steps/{saga}/{step}", this::step);
        routes.post(ONE, this::update);
        routes.post(ONE + "/delete", this::delete);
        routes.post(ONE + "/runs/{run}/stop", this::stop);
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    private void list(Context ctx, @Nullable AgentForm refused) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("agents.title"),
                "agents/agents",
                Map.of(
                        "agents",
                        agents.ofAdminsFirst(MAX_SHOWN).stream()
                                .map(found -> AgentCard.of(found, reader))
                                .toList(),
                        "form",
                        refused == null ? filled(caller, null, reader) : refused,
                        "models",
                        makers.choices(caller.admin(), null),
                        "unpriced",
                        unpriced(caller),
                        "isAdmin",
                        caller.admin(),
                        "mayMake",
                        caller.admin() || makers.mayMake(caller)));
    }

    /** The configured models that only admins can make ready. */
    private String unpriced(Caller caller) {
        return caller.admin() ? String.join(", ", makers.unpriced()) : "";
    }

    private void create(Context ctx) {
        try {
            var checks = new FieldChecks();
            var made = agents.create(Caller.of(ctx), sent(ctx, true, checks), checks);
            shell.seeOther(ctx, PATH + "/" + made.agent().id(), Text.of("agents.created"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            list(ctx, refused(ctx, refusal));
        }
    }

    private void show(Context ctx, @Nullable AgentForm refused) {
        var caller = Caller.of(ctx);
        var found = agents.get(id(ctx));
        var reader = readers.reader(ctx);
        var id = found.agent().id();
        var list = new KeysetList<AgentRun, Long>(
                cursors,
                "pages.agent-runs " + id,
                PAGE_SIZE,
                PAGE_SIZE,
                cursor -> cursor.number(0),
                last -> Cursor.of(Long.toString(last.id())));
        // From one run on, where a page names it.
        var first = Optional.ofNullable(ctx.queryParam("run")).filter(Ids::isId).map(run -> Ids.parse(run) + 1);
        var page = list.page(ctx, (before, limit) -> agents.runs(caller, id, before.or(() -> first), limit));
        var next = page.next();
        var asked = details.of(caller, page.items());
        var tallies = feedback.tallies(page.items().stream().map(AgentRun::id).toList());
        shell.page(
                ctx,
                Text.verbatim(found.profile().user().nickname().value()),
                "agents/agent",
                Map.of(
                        "agent",
                        AgentCard.of(found, reader),
                        "runs",
                        new RunList(
                                page.items().stream()
                                        .map(run -> RunList.RunCard.of(
                                                run,
                                                Objects.requireNonNull(asked.get(run.id())),
                                                tallies.getOrDefault(run.id(), ThumbCounts.NONE),
                                                reader))
                                        .toList(),
                                next == null ? "" : PATH + "/" + id + "?after=" + next),
                        "thumbs",
                        thumbs(feedback.tally(id), reader),
                        "form",
                        refused == null ? filled(caller, found, reader) : refused,
                        "models",
                        makers.choices(
                                found.agent().owner() == null,
                                found.profile().user().aiModel()),
                        "unpriced",
                        unpriced(caller),
                        "isAdmin",
                        caller.admin(),
                        "mayChange",
                        found.agent().isChangeableBy(caller)));
    }

    static String thumbs(ThumbCounts tally, Reader reader) {
        return tally.isEmpty() ? "" : reader.text("agents.thumbs", "up", tally.up(), "down", tally.down());
    }

    /** Leads from a step of a saga to the run by which it asks. */
    private void step(Context ctx) {
        var run = agents.runOfStep(Caller.of(ctx), ctx.pathParam("saga"), ctx.pathParam("step"));
        var id = Ids.hex(run.id());
        shell.seeOther(ctx, "%s/%s?run=%s#run-%s".formatted(PATH, run.agent(), id, id));
    }

    private void update(Context ctx) {
        try {
            var checks = new FieldChecks();
            agents.update(Caller.of(ctx), id(ctx), sent(ctx, false, checks), checks);
            shell.seeOther(ctx, PATH + "/" + id(ctx), Text.of("agents.saved"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, refused(ctx, refusal));
        }
    }

    private void delete(Context ctx) {
        agents.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, PATH, Text.of("agents.deleted"));
    }

    private void stop(Context ctx) {
        agents.stop(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("run")));
        shell.seeOther(ctx, PATH + "/" + id(ctx), Text.of("agents.stopped"));
    }

    private AgentForm filled(Caller caller, @Nullable Found found, Reader reader) {
        boolean shows = found != null && found.agent().isChangeableBy(caller);
        var callers = found != null && shows ? agents.callers(found.agent()) : "";
        return AgentForm.of(found, agents.offeredTools(caller), callers, reader);
    }

    private AgentForm refused(Context ctx, Problem refusal) {
        var sent = AgentForm.sent(ctx, agents.offeredTools(Caller.of(ctx)), readers.reader(ctx));
        return sent.with(refusal);
    }

    private Settings sent(Context ctx, boolean isNew, FieldChecks checks) {
        var callers = Optional.ofNullable(ctx.formParam("callers"))
                .flatMap(typed -> checks.check(() -> agents.callers(typed)))
                .orElse(null);
        return AgentForm.settings(ctx, callers, isNew, checks);
    }

    @Override
    public Content belowPost(Context ctx, PostCard post) {
        return output -> {};
    }

    /** On the profile of an agent, a link to what it can do. */
    @Override
    public Content besideFollow(Context ctx, UserId person, String nickname) {
        return agents.isAgent(person)
                ? shell.embed(ctx, "agents/profile-link", Map.of("path", PATH + "/" + person))
                : output -> {};
    }

    /** The view of an agent. */
    public record AgentCard(
            String id,
            String path,
            String nickname,
            String model,
            String personality,
            List<String> tools,
            String wake,
            String callers,
            boolean isEnabled) {

        public AgentCard {
            tools = List.copyOf(tools);
        }

        static AgentCard of(Found found, Reader reader) {
            var agent = found.agent();
            var user = found.profile().user();
            var model = user.aiModel();
            return new AgentCard(
                    agent.id().hex(),
                    PATH + "/" + agent.id(),
                    user.nickname().value(),
                    model == null ? reader.text("agents.no-model") : model,
                    Optional.ofNullable(found.profile().aiPersonality()).orElse(""),
                    agent.tools(),
                    wake(agent, reader),
                    agent.callers().isEmpty()
                            ? reader.text("agents.callers-all")
                            : reader.text(
                                    "agents.callers-some",
                                    "count",
                                    agent.callers().size()),
                    agent.enabled());
        }

        private static String wake(Agent agent, Reader reader) {
            var kinds = agent.wake().stream()
                    .sorted()
                    .map(wake -> reader.text("agents.wake." + wake.code()))
                    .collect(Collectors.joining(", "));
            return kinds.isEmpty() ? reader.text("agents.wake.never") : reader.text("agents.answers", "what", kinds);
        }
    }
}
