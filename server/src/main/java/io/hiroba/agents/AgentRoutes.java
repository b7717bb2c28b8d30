package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.Agents.LimitSettings;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of agents and their runs. */
final class AgentRoutes implements Routes {

    private static final String PATH = "/api/v1/agents";
    private static final String RUN = PATH + "/{id}/runs/{run}";

    private final Agents agents;
    private final RunDetails details;
    private final Idempotency idempotency;
    private final KeysetList<Found, UserId> list;
    private final KeysetList<AgentRun, Long> runs;

    AgentRoutes(Agents agents, RunDetails details, Idempotency idempotency, Cursors cursors) {
        this.agents = agents;
        this.details = details;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "agents",
                cursor -> new UserId(cursor.number(0)),
                found -> Cursor.of(Long.toString(found.agent().id().value())));
        this.runs = new KeysetList<>(
                cursors, "agent-runs", cursor -> cursor.number(0), run -> Cursor.of(Long.toString(run.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::create);
        routes.get(PATH + "/{id}", this::get);
        routes.patch(PATH + "/{id}", this::update);
        routes.delete(PATH + "/{id}", this::delete);
        routes.get(PATH + "/{id}/runs", this::runs);
        routes.get(RUN, this::run);
        routes.post(RUN + "/stop", this::stop);
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    private static long run(String hex) {
        return Ids.parse(hex);
    }

    private record SettingsBody(
            @Nullable String nickname,
            @Nullable String model,
            @Nullable String personality,
            @Nullable String instructions,
            @Nullable List<String> tools,
            @Nullable List<String> wake,
            @Nullable List<String> callers,
            @Nullable LimitsBody limits,
            @Nullable Boolean enabled) {

        /** A bound of a day that is null is taken away, and one that is not there stays as it is. */
        static Settings of(Context ctx) {
            var given = Body.json(ctx, JsonNode.class).path("limits");
            return Body.json(ctx, SettingsBody.class).settings(given.has("dailyTokens"), given.has("dailyCost"));
        }

        private Settings settings(boolean hasTokens, boolean hasCost) {
            return new Settings(
                    nickname,
                    model,
                    personality,
                    instructions,
                    tools,
                    wake,
                    callers,
                    limits == null
                            ? null
                            : new LimitSettings(
                                    limits.turns(),
                                    limits.seconds(),
                                    limits.dailyTokens(),
                                    limits.dailyCost(),
                                    hasTokens,
                                    hasCost),
                    enabled);
        }
    }

    private record LimitsBody(
            @Nullable Integer turns,
            @Nullable Integer seconds,
            @Nullable Long dailyTokens,
            @Nullable BigDecimal dailyCost) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, agents::list).map(found -> AgentView.of(found, caller)));
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var settings = SettingsBody.of(ctx);
        agents.prepare();
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var made = agents.create(tx, caller, settings, new FieldChecks());
            return Answer.created(PATH + "/" + made.agent().id(), AgentView.of(made, caller));
        });
    }

    private void get(Context ctx) {
        ctx.json(AgentView.of(agents.get(id(ctx)), Caller.of(ctx)));
    }

    private void update(Context ctx) {
        var caller = Caller.of(ctx);
        var settings = SettingsBody.of(ctx);
        ctx.json(AgentView.of(agents.update(caller, id(ctx), settings), caller));
    }

    private void delete(Context ctx) {
        agents.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void runs(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var page = runs.page(ctx, (before, limit) -> agents.runs(caller, id, before, limit));
        var found = details.of(caller, page.items());
        ctx.json(page.map(run -> RunView.of(run, Objects.requireNonNull(found.get(run.id())))));
    }

    private void run(Context ctx) {
        var caller = Caller.of(ctx);
        var run = agents.run(caller, id(ctx), run(ctx.pathParam("run")));
        ctx.json(RunView.of(run, details.of(caller, run)));
    }

    private void stop(Context ctx) {
        var caller = Caller.of(ctx);
        var run = agents.stop(caller, id(ctx), run(ctx.pathParam("run")));
        ctx.json(RunView.of(run, details.of(caller, run)));
    }

    /** An agent in the API; its instructions are for admins and its owner alone. */
    private record AgentView(
            String id,
            String nickname,
            @Nullable String model,
            String personality,
            @Nullable String instructions,
            List<String> tools,
            List<String> wake,
            List<String> callers,
            LimitsBody limits,
            boolean enabled,
            Instant createdAt,
            @Nullable String ownerId) {

        static AgentView of(Found found, Caller caller) {
            var agent = found.agent();
            var personality = found.profile().aiPersonality();
            var limits = agent.limits();
            var owner = agent.owner();
            return new AgentView(
                    agent.id().hex(),
                    found.profile().user().nickname().value(),
                    found.profile().user().aiModel(),
                    personality == null ? "" : personality,
                    agent.isChangeableBy(caller) ? agent.instructions() : null,
                    agent.tools(),
                    agent.wake().stream().map(Wake::code).sorted().toList(),
                    agent.callers().stream().map(UserId::hex).toList(),
                    new LimitsBody(limits.turns(), limits.seconds(), limits.dailyTokens(), limits.dailyCost()),
                    agent.enabled(),
                    agent.createdAt(),
                    owner == null ? null : owner.hex());
        }
    }

    private record RunView(
            String id,
            String agentId,
            @Nullable String postId,
            @Nullable String threadId,
            @Nullable String messageId,
            @Nullable String sagaId,
            String callerId,
            String callerNickname,
            @Nullable String question,
            String trigger,
            int depth,
            String state,
            @Nullable String reason,
            @Nullable String cause,
            @Nullable String replyId,
            int turns,
            long tokensIn,
            long tokensOut,
            BigDecimal cost,
            Instant createdAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String stoppedBy) {

        static RunView of(AgentRun run, RunDetails.Detail detail) {
            var reason = run.reason();
            var reply = run.reply();
            var stoppedBy = run.stoppedBy();
            var thread = run.thread();
            return new RunView(
                    Ids.hex(run.id()),
                    run.agent().hex(),
                    thread == null && run.wokenBy() != Wake.STEP ? run.post().hex() : null,
                    thread == null ? null : thread.hex(),
                    thread == null ? null : run.post().hex(),
                    detail.saga().isEmpty() ? null : detail.saga(),
                    run.caller().hex(),
                    detail.caller(),
                    detail.question().isEmpty() ? null : detail.question(),
                    run.wokenBy().code(),
                    run.depth(),
                    run.state().code(),
                    reason == null ? null : reason.code(),
                    detail.cause().isEmpty() ? null : detail.cause(),
                    reply == null || run.wokenBy() == Wake.STEP ? null : reply.hex(),
                    run.usage().turns(),
                    run.usage().tokensIn(),
                    run.usage().tokensOut(),
                    run.usage().cost(),
                    run.times().createdAt(),
                    run.times().startedAt(),
                    run.times().endedAt(),
                    stoppedBy == null ? null : stoppedBy.hex());
        }
    }
}
