package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The API by which programs notify people, and users mark resources. */
final class NotificationApiRoutes implements Routes {

    private static final int MAX_USERS = 1000;

    private final ApiNotifications notifications;
    private final MarkedItems marks;
    private final ApiTimes times;
    private final Idempotency idempotency;

    NotificationApiRoutes(ApiNotifications notifications, MarkedItems marks, ApiTimes times, Idempotency idempotency) {
        this.notifications = notifications;
        this.marks = marks;
        this.times = times;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/inbox/notify", this::notify);
        routes.post("/api/v1/inbox/acted", this::recordActivity);
        routes.post("/api/v1/inbox/stirred", this::wakeSnoozed);
        routes.post("/api/v1/inbox/mark", this::mark);
    }

    private record NotifyRequest(
            String action,
            String resourceType,
            String resource,
            @Nullable String user,
            @Nullable List<String> users,
            @Nullable String author,
            @Nullable Instant at) {

        List<String> recipients() {
            if ((user == null) == (users == null)) {
                throw InboxProblem.invalid("user", Text.of("inbox.field.either", "other", "users"));
            }
            var all = users == null ? List.of(String.valueOf(user)) : users;
            if (all.isEmpty() || all.size() > MAX_USERS) {
                throw InboxProblem.invalid("users", Text.of("inbox.field.count-between", "max", MAX_USERS));
            }
            return all;
        }
    }

    private record CreatedView(String id, String user, boolean done) {}

    private record NotifyView(int made, List<CreatedView> items, List<String> duplicates, List<String> off) {

        static NotifyView of(ApiNotifications.Outcome outcome) {
            return new NotifyView(
                    outcome.created().size(),
                    outcome.created().stream()
                            .map(created -> new CreatedView(
                                    created.id().hex(), created.user().hex(), created.done()))
                            .toList(),
                    hex(outcome.duplicates()),
                    hex(outcome.off()));
        }

        private static List<String> hex(List<UserId> users) {
            return users.stream().map(UserId::hex).toList();
        }
    }

    private void notify(Context ctx) {
        var caller = Caller.of(ctx);
        notifications.requireOperator(caller);
        var request = Body.json(ctx, NotifyRequest.class);
        var named = named(request.resourceType(), request.resource());
        var action = action(request.action());
        var users = request.recipients();
        var at = times.past("at", request.at());
        idempotency.run(
                ctx,
                caller.user().hex(),
                tx -> Answer.ok(NotifyView.of(notifications.notify(tx, named, action, users, request.author(), at))));
    }

    private record ActivityRequest(
            String user,
            String resourceType,
            String resource,
            @Nullable Instant at) {}

    private void recordActivity(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, ActivityRequest.class);
        notifications.recordActivity(
                caller,
                named(request.resourceType(), request.resource()),
                request.user(),
                times.past("at", request.at()));
        ctx.status(204);
    }

    private record WakeRequest(String resourceType, String resource, String event) {}

    private void wakeSnoozed(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, WakeRequest.class);
        var event = Stream.of(SnoozeEvent.values())
                .filter(one -> one.text().equals(request.event()))
                .findFirst()
                .orElseThrow(() -> InboxProblem.notOneOf(
                        "event", Stream.of(SnoozeEvent.values()).map(SnoozeEvent::text)));
        notifications.wakeSnoozed(caller, named(request.resourceType(), request.resource()), event);
        ctx.status(204);
    }

    private record MarkRequest(String resourceType, String resource) {}

    private void mark(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, MarkRequest.class);
        var type = ApiLookup.type(request.resourceType());
        var post = marks.readable(caller, type, request.resource());
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var mark = marks.mark(tx, caller, type, request.resource(), post);
            var view = Json.text(Map.of("id", mark.item().hex()));
            return new Answer(mark.fresh() ? 201 : 200, Map.of(), view);
        });
    }

    private static ApiNotifications.Named named(String type, String resource) {
        return new ApiNotifications.Named(ApiLookup.type(type), resource);
    }

    private static Action action(String text) {
        return Action.find(text).orElseThrow(() -> InboxProblem.invalid("action", Text.of("inbox.field.action")));
    }
}
