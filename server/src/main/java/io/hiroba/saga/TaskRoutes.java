package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.saga.call.TaskKind;
import io.hiroba.saga.call.WorkerTasks;
import io.hiroba.saga.call.WorkerTasks.Failure;
import io.hiroba.saga.call.WorkerTasks.Poll;
import io.hiroba.saga.call.WorkerTasks.Task;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of workers, and of services that say later how a call ended. */
final class TaskRoutes implements Routes {

    private final WorkerTasks tasks;

    TaskRoutes(WorkerTasks tasks) {
        this.tasks = tasks;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/workers/{service}/poll", this::poll);
        routes.post("/api/v1/tasks/{token}/heartbeat", this::heartbeat);
        routes.post("/api/v1/tasks/{token}/complete", this::complete);
        routes.post("/api/v1/tasks/{token}/fail", this::fail);
    }

    private record PollBody(
            String worker,
            @Nullable Integer max,
            @Nullable Integer waitSeconds,
            @Nullable Integer leaseSeconds) {}

    private record TaskList(List<TaskView> tasks) {}

    private record TaskView(
            String token,
            String sagaId,
            String workflow,
            String step,
            String method,
            int attempt,
            boolean compensation,
            boolean question,
            JsonNode input,
            String idempotencyKey,
            double leaseSeconds,
            Instant deadline) {

        static TaskView of(Task task) {
            return new TaskView(
                    task.token(),
                    task.saga().toString(),
                    task.workflow(),
                    task.step(),
                    task.method(),
                    task.attempt(),
                    task.kind() == TaskKind.COMPENSATE,
                    task.kind() == TaskKind.STATUS,
                    task.input(),
                    task.idempotencyKey(),
                    task.lease().toMillis() / 1000.0,
                    task.deadline());
        }
    }

    private void poll(Context ctx) throws InterruptedException {
        var body = Body.json(ctx, PollBody.class);
        var lease = body.leaseSeconds();
        var poll = new Poll(
                body.worker(),
                body.max() == null ? 1 : body.max(),
                Duration.ofSeconds(body.waitSeconds() == null ? 0 : body.waitSeconds()),
                lease == null ? null : Duration.ofSeconds(lease));
        var found = tasks.poll(Caller.of(ctx), ctx.pathParam("service"), poll);
        ctx.json(new TaskList(found.stream().map(TaskView::of).toList()));
    }

    private record HeartbeatBody(@Nullable JsonNode progress) {}

    private record HeartbeatView(boolean cancelled) {}

    private void heartbeat(Context ctx) {
        var body = Body.json(ctx, HeartbeatBody.class);
        ctx.json(new HeartbeatView(tasks.heartbeat(Caller.of(ctx), ctx.pathParam("token"), body.progress())));
    }

    private record CompleteBody(@Nullable JsonNode answer) {}

    private void complete(Context ctx) {
        var body = Body.json(ctx, CompleteBody.class);
        tasks.complete(Caller.of(ctx), ctx.pathParam("token"), body.answer());
        ctx.status(204);
    }

    private record FailBody(
            String reason,
            @Nullable Boolean retryable,
            @Nullable Boolean maybeDone,
            @Nullable String code,
            @Nullable JsonNode answer) {}

    private void fail(Context ctx) {
        var body = Body.json(ctx, FailBody.class);
        tasks.fail(
                Caller.of(ctx),
                ctx.pathParam("token"),
                new Failure(
                        body.reason(),
                        Boolean.TRUE.equals(body.retryable()),
                        Boolean.TRUE.equals(body.maybeDone()),
                        body.code(),
                        body.answer()));
        ctx.status(204);
    }
}
