package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.RunFeedback.FeedbackSummary;
import io.hiroba.agents.RunFeedbackStore.Feedback;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.social.PostId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of feedback on replies of agents. */
final class RunFeedbackRoutes implements Routes {

    private static final String PATH = "/api/v1/posts/{id}/feedback";

    private final Agents agents;
    private final RunFeedback feedback;

    RunFeedbackRoutes(Agents agents, RunFeedback feedback) {
        this.agents = agents;
        this.feedback = feedback;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::get);
        routes.put(PATH, this::put);
        routes.delete(PATH, this::delete);
        routes.get("/api/v1/agents/{id}/feedback", this::ofAgent);
    }

    private static PostId id(Context ctx) {
        return PostId.parse(ctx.pathParam("id"));
    }

    private record FeedbackBody(String value, @Nullable String comment) {}

    /** Whether a value is thumbs up. */
    static boolean isUp(String value) {
        return switch (value) {
            case "up" -> true;
            case "down" -> false;
            default -> throw AgentsProblem.invalid("value", Text.of("agents.field.thumb"));
        };
    }

    private void get(Context ctx) {
        ctx.json(SummaryView.of(feedback.of(Caller.of(ctx), id(ctx))));
    }

    private void put(Context ctx) {
        var body = Body.json(ctx, FeedbackBody.class);
        var comment = body.comment();
        ctx.json(SummaryView.of(
                feedback.put(Caller.of(ctx), id(ctx), isUp(body.value()), comment == null ? "" : comment)));
    }

    private void delete(Context ctx) {
        feedback.remove(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void ofAgent(Context ctx) {
        var agent = agents.get(UserId.parse(ctx.pathParam("id"))).agent().id();
        ctx.json(feedback.tally(agent));
    }

    private record SummaryView(long up, long down, @Nullable FeedbackView mine, List<FeedbackView> comments) {

        static SummaryView of(FeedbackSummary summary) {
            ThumbCounts tally = summary.tally();
            return new SummaryView(
                    tally.up(),
                    tally.down(),
                    summary.mine().map(FeedbackView::of).orElse(null),
                    summary.comments().stream().map(FeedbackView::of).toList());
        }
    }

    private record FeedbackView(String userId, String value, String comment, Instant updatedAt) {

        static FeedbackView of(Feedback feedback) {
            return new FeedbackView(
                    feedback.user().hex(), feedback.good() ? "up" : "down", feedback.comment(), feedback.updatedAt());
        }
    }
}
