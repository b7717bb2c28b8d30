package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.saga.schedule.Schedule;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import io.hiroba.saga.schedule.Schedule.Settings;
import io.hiroba.saga.schedule.Schedules;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The API of schedules. */
final class ScheduleRoutes implements Routes {

    private static final String PATH = "/api/v1/schedules";
    private static final String ONE = PATH + "/{id}";

    private final Schedules schedules;
    private final Idempotency idempotency;
    private final KeysetList<Schedule, String> list;
    private final InstantSource clock;

    ScheduleRoutes(Schedules schedules, Idempotency idempotency, Cursors cursors, InstantSource clock) {
        this.schedules = schedules;
        this.idempotency = idempotency;
        this.clock = clock;
        list = new KeysetList<>(
                cursors,
                "schedules",
                cursor -> cursor.text(0),
                last -> Cursor.of(last.settings().name()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::create);
        routes.get(PATH, this::list);
        routes.get(ONE, ctx -> show(ctx, schedules.get(Caller.of(ctx), id(ctx))));
        routes.patch(ONE, this::change);
        routes.delete(ONE, this::delete);
        routes.post(ONE + "/trigger", this::trigger);
        routes.post(ONE + "/pause", this::pause);
        routes.post(ONE + "/resume", ctx -> show(ctx, schedules.resume(Caller.of(ctx), id(ctx))));
    }

    /** The settings as they are sent; a merge patch is applied to this form of them. */
    private record ScheduleBody(
            String name,
            String workflow,
            @Nullable String cron,
            @Nullable String every,
            @Nullable String timeZone,
            @Nullable JsonNode payload,
            @Nullable Integer priority,
            @Nullable String overlap,
            @Nullable String catchUp,
            @Nullable String catchUpWindow,
            @Nullable String startAt,
            @Nullable String endAt) {

        static ScheduleBody of(Settings settings) {
            var every = settings.every();
            return new ScheduleBody(
                    settings.name(),
                    settings.workflow(),
                    settings.cron(),
                    every == null ? null : every.toString(),
                    settings.timeZone(),
                    settings.payload(),
                    settings.priority(),
                    settings.overlap().code(),
                    settings.catchUp().code(),
                    settings.window().toString(),
                    settings.startAt() == null ? null : settings.startAt().toString(),
                    settings.endAt() == null ? null : settings.endAt().toString());
        }

        Settings settings() {
            var window = duration("catchUpWindow", catchUpWindow);
            return new Settings(
                    name,
                    workflow,
                    cron,
                    duration("every", every),
                    timeZone == null ? "UTC" : timeZone,
                    payload == null || payload.isNull() ? JsonMapper.shared().createObjectNode() : payload,
                    priority == null ? NewSaga.DEFAULT_PRIORITY : priority,
                    constant("overlap", overlap, Overlap.values(), Overlap::code),
                    constant("catchUp", catchUp, CatchUp.values(), CatchUp::code),
                    window == null ? Schedules.DEFAULT_WINDOW : window,
                    time("startAt", startAt),
                    time("endAt", endAt));
        }

        /** The first is the default. */
        private static <E> E constant(String field, @Nullable String code, E[] values, Function<E, String> codes) {
            if (code == null) {
                return values[0];
            }
            return Arrays.stream(values)
                    .filter(each -> codes.apply(each).equals(code))
                    .findFirst()
                    .orElseThrow(() -> SagaProblem.invalid(
                            field,
                            Text.of(
                                    "http.field.one-of",
                                    "values",
                                    Arrays.stream(values).map(codes).collect(Collectors.joining(", ")))));
        }

        private static @Nullable Duration duration(String field, @Nullable String text) {
            try {
                return text == null ? null : Duration.parse(text);
            } catch (DateTimeParseException e) {
                throw SagaProblem.invalid(field, Text.of("saga.schedule.field.duration"));
            }
        }

        private static @Nullable Instant time(String field, @Nullable String text) {
            try {
                return text == null ? null : Instant.parse(text);
            } catch (DateTimeParseException e) {
                throw SagaProblem.invalid(field, Text.of("http.field.time"));
            }
        }
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var settings = Body.json(ctx, ScheduleBody.class).settings();
        var language = RequestLanguage.of(ctx);
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var made = schedules.create(tx, caller, settings);
            return Answer.created(PATH + "/" + made.hex(), view(made, language));
        });
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var language = RequestLanguage.of(ctx);
        ctx.json(list.page(ctx, (after, limit) -> schedules.list(caller, after.orElse(""), limit))
                .map(schedule -> view(schedule, language)));
    }

    private void change(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var patch = Body.json(ctx, ObjectNode.class);
        show(ctx, schedules.change(caller, id, settings -> merged(settings, patch)));
    }

    /** Applies a patch: null stands for the default, or for none. */
    private static Settings merged(Settings settings, ObjectNode patch) {
        ObjectNode merged = Json.mapper().valueToTree(ScheduleBody.of(settings));
        merged.setAll(patch);
        return Json.read(merged.toString(), ScheduleBody.class).settings();
    }

    private void delete(Context ctx) {
        schedules.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private record TriggeredView(String id, String workflowName, String correlationId, SagaStatus status) {}

    private void trigger(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var run = schedules.trigger(tx, caller, id);
            return Answer.created(
                    "/api/v1/sagas/" + run.saga(),
                    new TriggeredView(run.saga().toString(), run.workflow(), run.correlationId(), SagaStatus.STARTED));
        });
    }

    private record PauseBody(@Nullable String note) {}

    private void pause(Context ctx) {
        var note = ctx.bodyAsBytes().length == 0
                ? null
                : Body.json(ctx, PauseBody.class).note();
        show(ctx, schedules.pause(Caller.of(ctx), id(ctx), note));
    }

    private void show(Context ctx, Schedule schedule) {
        ctx.json(view(schedule, RequestLanguage.of(ctx)));
    }

    private ScheduleView view(Schedule schedule, Language language) {
        return ScheduleView.of(schedule, clock.instant(), language);
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    private record RunView(String sagaId, Instant dueAt, SagaStatus status) {}

    private record ScheduleView(
            String id,
            String name,
            String workflow,
            @Nullable String cron,
            @Nullable String every,
            String timeZone,
            @Nullable String description,
            JsonNode payload,
            int priority,
            String overlap,
            String catchUp,
            String catchUpWindow,
            @Nullable Instant startAt,
            @Nullable Instant endAt,
            boolean paused,
            @Nullable String note,
            List<Instant> next,
            @Nullable Instant waitingAt,
            @Nullable RunView lastRun,
            @Nullable String error,
            @Nullable Instant errorAt,
            String createdBy,
            String owner,
            Instant createdAt,
            Instant updatedAt) {

        static ScheduleView of(Schedule schedule, Instant now, Language language) {
            var settings = schedule.settings();
            var body = ScheduleBody.of(settings);
            var last = schedule.lastRun();
            var error = schedule.error();
            return new ScheduleView(
                    schedule.hex(),
                    settings.name(),
                    settings.workflow(),
                    settings.cron(),
                    body.every(),
                    settings.timeZone(),
                    schedule.words().map(words -> words.in(language)).orElse(null),
                    settings.payload(),
                    settings.priority(),
                    settings.overlap().code(),
                    settings.catchUp().code(),
                    settings.window().toString(),
                    settings.startAt(),
                    settings.endAt(),
                    schedule.paused(),
                    schedule.note(),
                    schedule.paused() ? List.of() : schedule.upcoming(now),
                    schedule.waitingAt(),
                    last == null ? null : new RunView(last.saga().toString(), last.dueAt(), last.status()),
                    error == null ? null : error.in(language),
                    schedule.errorAt(),
                    schedule.createdBy(),
                    schedule.owner(),
                    schedule.createdAt(),
                    schedule.updatedAt());
        }
    }
}
