package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.pages.SagaListPages.SagaRow;
import io.hiroba.saga.schedule.Schedule;
import io.hiroba.saga.schedule.Schedules;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The pages of schedules: the list, and each with its next due times and its runs. */
public final class SchedulePages implements Routes {

    static final String PATH = "/schedules";

    private final Shell shell;
    private final Readers readers;
    private final Schedules schedules;
    private final SagaQueries queries;
    private final SagaRoles roles;
    private final ScheduleFormPages forms;
    private final KeysetList<Schedule, String> list;
    private final KeysetList<Saga, SagaId> runs;

    public SchedulePages(
            Shell shell,
            Readers readers,
            Schedules schedules,
            SagaQueries queries,
            Workflows workflows,
            SagaRoles roles,
            Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.schedules = schedules;
        this.queries = queries;
        this.roles = roles;
        forms = new ScheduleFormPages(shell, readers, schedules, workflows, roles);
        list = new KeysetList<>(
                cursors,
                "pages.schedules",
                50,
                100,
                cursor -> cursor.text(0),
                last -> Cursor.of(last.settings().name()));
        runs = new KeysetList<>(
                cursors,
                "pages.schedule-runs",
                cursor -> SagaId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().toString()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        forms.register(routes);
        routes.get(PATH + "/{id}", ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH + "/{id}/trigger", this::trigger);
        routes.post(PATH + "/{id}/pause", this::pause);
        routes.post(PATH + "/{id}/resume", this::resume);
        routes.post(PATH + "/{id}/delete", this::delete);
    }

    static String path(Schedule schedule) {
        return PATH + "/" + schedule.hex();
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (after, limit) -> schedules.list(caller, after.orElse(""), limit));
        var next = page.next();
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("saga.schedules.title"),
                "saga/schedules",
                Map.of(
                        "schedules",
                        page.items().stream()
                                .map(schedule -> ScheduleRow.of(schedule, reader))
                                .toList(),
                        "isOperator",
                        isOperator(caller),
                        "more",
                        next == null ? "" : PATH + "?after=" + next));
    }

    private boolean isOperator(Caller caller) {
        var role = roles.of(caller);
        return role == SagaRole.OPERATOR || role == SagaRole.ADMIN;
    }

    private void trigger(Context ctx) {
        try {
            var run = schedules.trigger(Caller.of(ctx), id(ctx));
            shell.seeOther(ctx, "/sagas/" + run.saga(), Text.of("saga.workflow.started-notice"));
        } catch (Problem refusal) {
            showAgain(ctx, Form.EMPTY, refusal);
        }
    }

    private void pause(Context ctx) {
        var form = Form.of(ctx, "note");
        try {
            var paused = schedules.pause(Caller.of(ctx), id(ctx), form.value("note"));
            shell.seeOther(ctx, path(paused), Text.of("saga.schedules.paused-notice"));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private void resume(Context ctx) {
        var resumed = schedules.resume(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, path(resumed), Text.of("saga.schedules.resumed-notice"));
    }

    private void delete(Context ctx) {
        schedules.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, PATH, Text.of("saga.schedules.deleted-notice"));
    }

    private void showAgain(Context ctx, Form form, Problem refusal) {
        shell.refusedForm(ctx, refusal, PATH + "/" + ctx.pathParam("id"));
        show(ctx, form.refused(refusal));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var schedule = schedules.get(caller, id(ctx));
        var filter = SagaFilter.ALL.ofSchedule(schedule.id());
        var page = runs.page(ctx, (after, limit) -> queries.list(caller, filter, after, limit));
        var reader = readers.reader(ctx);
        var next = page.next();
        shell.page(
                ctx,
                Text.verbatim(schedule.settings().name()),
                "saga/schedule",
                Map.of(
                        "form",
                        form,
                        "row",
                        ScheduleRow.of(schedule, reader),
                        "next",
                        DueTime.all(
                                schedule.paused() ? List.of() : schedule.upcoming(reader.now()),
                                inZone(schedule.settings().timeZone(), reader)),
                        "runs",
                        page.items().stream()
                                .map(saga -> SagaRow.of(saga, reader))
                                .toList(),
                        "isOperator",
                        isOperator(caller),
                        "more",
                        next == null ? "" : path(schedule) + "?after=" + next));
    }

    /** Shows times as the schedule has them; in the reader's own zone if that of the schedule is unknown. */
    static Reader inZone(String zone, Reader reader) {
        return ZoneId.getAvailableZoneIds().contains(zone)
                ? new Reader(reader.language(), ZoneId.of(zone), reader.now())
                : reader;
    }

    /** A due time in the schedule's zone. */
    public record DueTime(String text, String exact) {

        static List<DueTime> all(List<Instant> times, Reader reader) {
            return times.stream()
                    .map(time -> new DueTime(reader.longDateTime(time), reader.exact(time)))
                    .toList();
        }
    }

    /**
     * The meaning of typed times, or what is wrong with them.
     *
     * @param zone that of the times
     */
    public record DuePreview(Optional<Text> words, List<DueTime> next, String zone, Optional<Text> problem) {

        public DuePreview {
            next = List.copyOf(next);
        }
    }

    /**
     * A schedule as it is shown.
     *
     * @param words its times, with the zone of a cron expression
     * @param next the next due time, as short as possible, if there is one
     * @param zone that of all times here but for the next one of an interval, which is in the reader's
     */
    public record ScheduleRow(
            String id,
            String path,
            String name,
            String workflow,
            String words,
            String times,
            @Nullable String next,
            @Nullable String nextExact,
            boolean isPaused,
            @Nullable String note,
            @Nullable Text error,
            boolean isWaiting,
            Text overlap,
            Text catchUp,
            int priority,
            String payload,
            String zone,
            @Nullable String startAt,
            @Nullable String endAt) {

        static ScheduleRow of(Schedule schedule, Reader reader) {
            var settings = schedule.settings();
            var next = schedule.nextAt();
            var every = settings.every();
            var times = every == null ? String.valueOf(settings.cron()) : every.toString();
            var words = schedule.words().map(reader::text).orElse(times);
            var own = inZone(settings.timeZone(), reader);
            var nextReader = every == null ? own : reader;
            var startAt = settings.startAt();
            var endAt = settings.endAt();
            return new ScheduleRow(
                    schedule.hex(),
                    SchedulePages.path(schedule),
                    settings.name(),
                    settings.workflow(),
                    every == null
                            ? reader.text("saga.schedules.in-zone", "words", words, "zone", settings.timeZone())
                            : words,
                    times,
                    next == null ? null : nextReader.upcoming(next),
                    next == null ? null : nextReader.exact(next),
                    schedule.paused(),
                    schedule.note(),
                    schedule.error(),
                    schedule.waitingAt() != null,
                    Text.of("saga.schedules.overlap-" + settings.overlap().code()),
                    Text.of("saga.schedules.catch-up-" + settings.catchUp().code()),
                    settings.priority(),
                    JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(settings.payload()),
                    own.zoneName(),
                    startAt == null ? null : own.longDateTime(startAt),
                    endAt == null ? null : own.longDateTime(endAt));
        }
    }
}
