package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.pages.SchedulePages.DuePreview;
import io.hiroba.saga.pages.SchedulePages.DueTime;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import io.hiroba.saga.schedule.Schedule.Settings;
import io.hiroba.saga.schedule.Schedules;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The form of a schedule, which shows the next due times while they are typed. */
final class ScheduleFormPages implements Routes {

    private static final String NEW = SchedulePages.PATH + "/new";
    private static final int MAX_WORKFLOWS = 200;
    private static final String[] FIELDS = {
        "name",
        "workflow",
        "cron",
        "timeZone",
        "payload",
        "priority",
        "overlap",
        "catchUp",
        "catchUpWindow",
        "startAt",
        "endAt"
    };
    private static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream()
            .filter(zone -> zone.equals("UTC")
                    || zone.matches("(Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/.*"))
            .sorted()
            .toList();

    private final Shell shell;
    private final Readers readers;
    private final Schedules schedules;
    private final Workflows workflows;
    private final SagaRoles roles;

    ScheduleFormPages(Shell shell, Readers readers, Schedules schedules, Workflows workflows, SagaRoles roles) {
        this.shell = shell;
        this.readers = readers;
        this.schedules = schedules;
        this.workflows = workflows;
        this.roles = roles;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(NEW, this::empty);
        routes.get(SchedulePages.PATH + "/preview", this::preview);
        routes.post(SchedulePages.PATH, this::create);
        routes.get(SchedulePages.PATH + "/{id}/edit", this::edit);
        routes.post(SchedulePages.PATH + "/{id}/edit", this::save);
    }

    private void empty(Context ctx) {
        roles.requireOperator(Caller.of(ctx));
        var reader = readers.reader(ctx);
        var values = new HashMap<String, String>();
        values.put("cron", "0 9 * * 1-5");
        values.put("timeZone", reader.zoneName());
        values.put("workflow", Optional.ofNullable(ctx.queryParam("workflow")).orElse(""));
        values.put("payload", "{}");
        values.put("priority", Integer.toString(NewSaga.DEFAULT_PRIORITY));
        values.put("catchUpWindow", Schedules.DEFAULT_WINDOW.toString());
        show(ctx, SchedulePages.PATH, Text.of("saga.schedules.new"), Form.filled(values));
    }

    private void create(Context ctx) {
        var form = Form.of(ctx, FIELDS);
        try {
            var made = schedules.create(Caller.of(ctx), settings(form, readers.reader(ctx)));
            shell.seeOther(ctx, SchedulePages.path(made), Text.of("saga.schedules.created-notice"));
        } catch (Problem refusal) {
            refused(ctx, refusal, NEW);
            show(ctx, SchedulePages.PATH, Text.of("saga.schedules.new"), refused(form, refusal));
        }
    }

    private void edit(Context ctx) {
        var caller = Caller.of(ctx);
        roles.requireOperator(caller);
        var schedule = schedules.get(caller, Ids.parse(ctx.pathParam("id")));
        var settings = schedule.settings();
        var reader = SchedulePages.inZone(settings.timeZone(), readers.reader(ctx));
        var every = settings.every();
        var values = new HashMap<String, String>();
        values.put("name", settings.name());
        values.put("workflow", settings.workflow());
        values.put("cron", every == null ? String.valueOf(settings.cron()) : every.toString());
        values.put("timeZone", settings.timeZone());
        values.put(
                "payload", JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(settings.payload()));
        values.put("priority", Integer.toString(settings.priority()));
        values.put("overlap", settings.overlap().code());
        values.put("catchUp", settings.catchUp().code());
        values.put("catchUpWindow", settings.window().toString());
        values.put("startAt", picked(settings.startAt(), reader));
        values.put("endAt", picked(settings.endAt(), reader));
        show(ctx, SchedulePages.path(schedule) + "/edit", Text.verbatim(settings.name()), Form.filled(values));
    }

    private static String picked(@Nullable Instant time, Reader reader) {
        return time == null ? "" : reader.picker(time);
    }

    private void save(Context ctx) {
        var form = Form.of(ctx, FIELDS);
        var path = ctx.path();
        try {
            var settings = settings(form, readers.reader(ctx));
            var changed = schedules.change(Caller.of(ctx), Ids.parse(ctx.pathParam("id")), old -> settings);
            shell.seeOther(ctx, SchedulePages.path(changed), Text.of("saga.schedules.changed-notice"));
        } catch (Problem refusal) {
            refused(ctx, refusal, path);
            show(ctx, path, Text.verbatim(form.value("name")), refused(form, refusal));
        }
    }

    /** A workflow that is not there is a mistake in the form. */
    private void refused(Context ctx, Problem refusal, String page) {
        if (refusal.code().equals("saga.no-workflow")) {
            shell.refused(ctx, refusal, page);
        } else {
            shell.refusedForm(ctx, refusal, page);
        }
    }

    private static Form refused(Form form, Problem refusal) {
        // An interval is typed where a cron expression is.
        var every = refusal.fields().stream()
                .filter(fault -> fault.field().equals("every"))
                .findFirst();
        return every.map(fault -> form.withError("cron", fault.message()))
                .orElseGet(() -> withLabels(JsonField.refused(form, "payload", refusal)));
    }

    /** The API names its fields, the form has labels. */
    private static Form withLabels(Form form) {
        var error = form.error("endAt");
        return switch (error == null ? "" : error.key()) {
            case "saga.schedule.field.end" -> form.withError("endAt", Text.of("saga.schedule.field.end-labelled"));
            case "saga.schedule.field.no-due-time" ->
                form.withError("endAt", Text.of("saga.schedule.field.no-due-time-labelled"));
            default -> form;
        };
    }

    private static Settings settings(Form form, Reader anyone) {
        var zone = form.value("timeZone").strip();
        var reader = SchedulePages.inZone(zone, anyone);
        var times = Times.of(form.value("cron"));
        var window = form.value("catchUpWindow").strip();
        return new Settings(
                form.value("name").strip(),
                form.value("workflow"),
                times.cron(),
                times.every(),
                zone,
                JsonField.read("payload", form.value("payload")),
                NewSaga.priority(form.value("priority"), NewSaga.DEFAULT_PRIORITY),
                constant(form.value("overlap"), Overlap.values(), Overlap::code),
                constant(form.value("catchUp"), CatchUp.values(), CatchUp::code),
                window.isEmpty() ? Schedules.DEFAULT_WINDOW : duration("catchUpWindow", window),
                time("startAt", form, reader),
                time("endAt", form, reader));
    }

    private static <E> E constant(String code, E[] values, Function<E, String> codes) {
        return Arrays.stream(values)
                .filter(each -> codes.apply(each).equals(code))
                .findFirst()
                .orElse(values[0]);
    }

    private static @Nullable Instant time(String field, Form form, Reader reader) {
        var typed = form.value(field).strip();
        return typed.isEmpty()
                ? null
                : reader.parse(typed).orElseThrow(() -> SagaProblem.invalid(field, Text.of("http.field.time")));
    }

    private static Duration duration(String field, String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw SagaProblem.invalid(field, Text.of("saga.schedule.field.duration"));
        }
    }

    /** Times as they are typed: an interval begins with P, as no cron expression does. */
    private record Times(@Nullable String cron, @Nullable Duration every) {

        static Times of(String typed) {
            var text = typed.strip();
            return text.toUpperCase(Locale.ROOT).startsWith("P")
                    ? new Times(null, duration("every", text))
                    : new Times(text, null);
        }
    }

    private void preview(Context ctx) {
        var cron = Optional.ofNullable(ctx.queryParam("cron")).orElse("");
        var zone = Optional.ofNullable(ctx.queryParam("timeZone")).orElse("UTC");
        shell.fragment(ctx, "saga/due", Map.of("preview", preview(ctx, cron, zone)));
    }

    private DuePreview preview(Context ctx, String typed, String zone) {
        try {
            var times = Times.of(typed);
            var found = schedules.preview(Caller.of(ctx), times.cron(), times.every(), zone.strip());
            var reader = SchedulePages.inZone(zone.strip(), readers.reader(ctx));
            return new DuePreview(
                    found.words(), DueTime.all(found.next(), reader), reader.zoneName(), Optional.empty());
        } catch (SagaProblem refusal) {
            if (!Form.canShow(refusal)) {
                throw refusal;
            }
            return new DuePreview(
                    Optional.empty(),
                    List.of(),
                    "",
                    refusal.fields().stream().map(fault -> fault.message()).findFirst());
        }
    }

    private void show(Context ctx, String action, Text title, Form form) {
        var caller = Caller.of(ctx);
        var names = workflows.list(caller, Optional.empty(), MAX_WORKFLOWS).stream()
                .map(WorkflowVersion::name)
                .filter(name -> !Workflow.isBuiltIn(name))
                .toList();
        shell.page(
                ctx,
                title,
                "saga/schedule-form",
                Map.of(
                        "form",
                        form,
                        "action",
                        action,
                        "workflows",
                        names,
                        "zones",
                        ZONES,
                        "preview",
                        preview(ctx, form.value("cron"), form.value("timeZone"))));
    }
}
