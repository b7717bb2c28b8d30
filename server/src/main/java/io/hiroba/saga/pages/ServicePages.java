package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.call.ServiceHealth.CallCounts;
import io.hiroba.saga.call.ServiceHealth.Health;
import io.hiroba.saga.call.ServiceHealth.WorkerLoad;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.call.Services.Service;
import io.hiroba.saga.call.Services.ServiceLimits;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The page of the services that steps call: how their calls go, for all who may see sagas, and where they are, for admins to set. */
public final class ServicePages implements Routes {

    static final String PATH = "/sagas/services";

    private final Shell shell;
    private final Readers readers;
    private final Services services;
    private final SagaQueries queries;
    private final KeysetList<Service, String> list;

    ServicePages(Shell shell, Readers readers, Services services, SagaQueries queries, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.services = services;
        this.queries = queries;
        list = new KeysetList<>(
                cursors, "pages.services", 50, 100, cursor -> cursor.text(0), last -> Cursor.of(last.name()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH, this::put);
        routes.post(PATH + "/delete", this::delete);
    }

    private void put(Context ctx) {
        var form = Form.of(ctx, "name", "endpoint");
        try {
            var name = form.value("name").strip();
            boolean isNew =
                    services.put(Caller.of(ctx), name, form.value("endpoint").strip());
            shell.seeOther(
                    ctx,
                    PATH,
                    isNew
                            ? Text.of("saga.services.registered-notice", "name", name)
                            : Text.of("saga.services.updated-notice", "name", name));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private void delete(Context ctx) {
        try {
            services.delete(Caller.of(ctx), String.valueOf(ctx.formParam("name")));
            shell.seeOther(ctx, PATH, Text.of("saga.services.deleted-notice"));
        } catch (Problem refusal) {
            showAgain(ctx, Form.EMPTY, refusal);
        }
    }

    private void showAgain(Context ctx, Form form, Problem refusal) {
        if (refusal.kind() == Problem.Kind.FORBIDDEN) {
            throw refusal;
        }
        shell.refused(ctx, refusal, PATH);
        show(ctx, form.refused(refusal));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (after, limit) -> services.list(caller, after.orElse(""), limit));
        var next = page.next();
        var names = page.items().stream().map(Service::name).toList();
        var health = services.health().of(caller, names);
        var limits = services.limits(caller, page.items());
        var stuck = queries.stuckByService(caller);
        var workers = services.health()
                .workers(
                        caller,
                        page.items().stream()
                                .filter(ServicePages::hasWorkers)
                                .map(Service::name)
                                .toList());
        var reader = readers.reader(ctx);
        var rows = page.items().stream()
                .map(each -> ServiceRow.of(
                        each,
                        HealthRow.of(
                                Objects.requireNonNull(health.get(each.name())),
                                limits.getOrDefault(each.name(), ServiceLimits.NONE),
                                stuck.getOrDefault(each.name(), List.of()),
                                reader),
                        WorkersRow.of(
                                workers.get(each.name()),
                                limits.getOrDefault(each.name(), ServiceLimits.NONE),
                                reader)))
                .toList();
        shell.page(
                ctx,
                Text.of("saga.services.title"),
                "saga/services",
                Map.of("form", form, "services", rows, "more", next == null ? "" : PATH + "?after=" + next));
    }

    private static boolean hasWorkers(Service service) {
        var endpoint = service.endpoint();
        return endpoint != null && endpoint.isWorker();
    }

    /**
     * A row of the list of services.
     *
     * @param endpoint null for a local service
     * @param isFixed whether it cannot be changed here
     * @param workers null for one that is called
     */
    public record ServiceRow(
            String name,
            @Nullable String endpoint,
            Text origin,
            boolean isFixed,
            HealthRow health,
            @Nullable WorkersRow workers) {

        /** The page of its settings. */
        public String path() {
            return ServiceSecretPages.path(name);
        }

        static ServiceRow of(Service service, HealthRow health, @Nullable WorkersRow workers) {
            var endpoint = service.endpoint();
            return new ServiceRow(
                    service.name(),
                    endpoint == null ? null : endpoint.toString(),
                    switch (service.origin()) {
                        case LOCAL -> Text.of("saga.services.built-in");
                        case CONFIGURED -> Text.of("saga.services.configured");
                        case REGISTERED -> Text.of("saga.services.registered");
                    },
                    service.origin() != Service.Origin.REGISTERED,
                    health,
                    workers);
        }
    }

    /**
     * The tasks and the workers of a service, in words.
     *
     * @param isDeserted whether tasks wait and nobody has asked for any lately, nor carries one out
     * @param workers the sentence about each of those that were seen last
     */
    public record WorkersRow(boolean isDeserted, Text tasks, List<Text> workers) {

        private static final Duration LATELY = Duration.ofMinutes(2);

        public WorkersRow {
            workers = List.copyOf(workers);
        }

        static @Nullable WorkersRow of(@Nullable WorkerLoad load, ServiceLimits limits, Reader reader) {
            if (load == null) {
                return null;
            }
            var since = reader.now().minus(LATELY);
            var max = limits.maxConcurrent();
            return new WorkersRow(
                    load.waiting() > 0
                            && load.running() == 0
                            && load.workers().stream()
                                    .noneMatch(each -> each.lastSeen().isAfter(since)),
                    max == null
                            ? Text.of("saga.health.tasks", "waiting", load.waiting(), "running", load.running())
                            : Text.of(
                                    "saga.health.tasks-limited",
                                    "waiting",
                                    load.waiting(),
                                    "running",
                                    load.running(),
                                    "max",
                                    max),
                    load.workers().stream()
                            .map(each -> Text.of(
                                    "saga.health.worker",
                                    "name",
                                    each.name(),
                                    "ago",
                                    reader.ago(each.lastSeen()),
                                    "running",
                                    each.running()))
                            .toList());
        }
    }

    /**
     * The health of a service, in words.
     *
     * @param isFailing whether half of the calls of the last hour failed
     * @param hour null where there was no call, as the day
     * @param permits null where its calls are not limited in number and nothing waits
     * @param failure the reason of the last failure of a day; null where there was none
     * @param failedSaga the saga whose call that was, if it is known
     * @param stuck the sagas that its last calls have left stuck, up to some
     */
    public record HealthRow(
            boolean isFailing,
            @Nullable Text hour,
            @Nullable Text day,
            @Nullable Text permits,
            @Nullable Text failure,
            @Nullable String failedAt,
            @Nullable String failedSaga,
            int stuckCount,
            List<String> stuck) {

        private static final int MAX_LINKS = 10;

        public HealthRow {
            stuck = List.copyOf(stuck);
        }

        static HealthRow of(Health health, ServiceLimits limits, List<SagaId> stuck, Reader reader) {
            var last = health.lastFailure().orElse(null);
            var hour = health.hour();
            return new HealthRow(
                    hour.calls() > 0 && hour.failures() * 2 >= hour.calls(),
                    counts("saga.health.hour", hour),
                    counts("saga.health.day", health.day()),
                    permits(health, limits),
                    last == null ? null : last.reason(),
                    last == null ? null : reader.ago(last.at()),
                    last == null || last.saga() == null ? null : last.saga().toString(),
                    stuck.size(),
                    stuck.stream().limit(MAX_LINKS).map(SagaId::toString).toList());
        }

        private static @Nullable Text counts(String key, CallCounts counts) {
            return counts.calls() == 0
                    ? null
                    : Text.of(
                            key,
                            "calls",
                            counts.calls(),
                            "failures",
                            counts.failures(),
                            "median",
                            DurationText.text(counts.median().orElse(Duration.ZERO)),
                            "most",
                            DurationText.text(counts.most().orElse(Duration.ZERO)));
        }

        private static @Nullable Text permits(Health health, ServiceLimits limits) {
            var max = limits.maxConcurrent();
            if (max != null) {
                return Text.of("saga.health.permits", "used", health.used(), "max", max, "waiting", health.waiting());
            }
            return health.waiting() == 0 ? null : Text.of("saga.health.waiting", "waiting", health.waiting());
        }
    }

    /**
     * A service with what is set of it.
     *
     * @param credentials the sentence about those that are set, if any are
     */
    public record ServiceSettings(
            String name,
            String path,
            String endpoint,
            String origin,
            @Nullable String credentials,
            List<SigningKeyRow> keys) {

        public ServiceSettings {
            keys = List.copyOf(keys);
        }
    }

    /** A row of the list of signing keys. */
    public record SigningKeyRow(String id, String created) {}
}
