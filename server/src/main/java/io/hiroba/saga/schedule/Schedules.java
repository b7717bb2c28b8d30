package io.hiroba.saga.schedule;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.schedule.Schedule.Settings;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.Workflows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps schedules and starts their sagas: at their due times, and when somebody asks for a run. */
public final class Schedules implements AutoCloseable {

    /** The number of due times that are shown ahead. */
    public static final int SHOWN_AHEAD = 5;

    /** The window of catching up, unless one is given. */
    public static final Duration DEFAULT_WINDOW = Duration.ofDays(1);

    private static final String TOPIC = "schedules";
    private static final int MAX_NAME_LENGTH = 255;
    private static final int MAX_NOTE_LENGTH = 1000;
    private static final int MAX_PAYLOAD_LENGTH = 1 << 20;
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final Db db;
    private final Workflows workflows;
    private final SagaRoles roles;
    private final IdGenerator ids;
    private final CommitSignal commits;
    private final AuditLog audit;
    private final Scheduler scheduler;
    private final ScheduleStore store = new ScheduleStore();

    public Schedules(
            Db db,
            Engine engine,
            Workflows workflows,
            Sagas sagas,
            SagaRoles roles,
            IdGenerator ids,
            CommitSignal commits) {
        this.db = db;
        this.workflows = workflows;
        this.roles = roles;
        this.ids = ids;
        this.commits = commits;
        this.audit = new AuditLog(db);
        scheduler = new Scheduler(db, engine, workflows, sagas, roles);
        commits.listen(TOPIC, names -> scheduler.wake());
    }

    /** The due times that settings would have, and what they mean in words. */
    public record Preview(Optional<Text> words, List<Instant> next) {

        public Preview {
            next = List.copyOf(next);
        }
    }

    /** A saga that was started besides the due times. */
    public record Triggered(SagaId saga, String workflow, String correlationId) {}

    /** Starts starting sagas. */
    public Schedules open() {
        scheduler.open();
        return this;
    }

    @Override
    public void close() {
        scheduler.close();
    }

    /** Previews these times; those that are invalid are a problem that names the field. */
    public Preview preview(Caller caller, @Nullable String cron, @Nullable Duration every, String timeZone) {
        roles.requireAuditor(caller);
        var times = Schedule.times(cron, every, timeZone);
        var next = new ArrayList<Instant>();
        for (var time = times.after(db.read(store::now));
                time.isPresent() && next.size() < SHOWN_AHEAD;
                time = times.after(time.get())) {
            next.add(time.get());
        }
        return new Preview(times.words(), next);
    }

    /** By name, after {@code after}. */
    public List<Schedule> list(Caller caller, String after, int limit) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.list(reads, after, limit));
    }

    public Schedule get(Caller caller, long id) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.find(reads, id)).orElseThrow(SagaProblem::noSchedule);
    }

    public Schedule create(Caller caller, Settings settings) {
        return db.inTransaction(tx -> create(tx, caller, settings));
    }

    /** As above, in the caller's transaction. */
    public Schedule create(Tx tx, Caller caller, Settings settings) {
        roles.requireOperator(tx, caller);
        check(tx, settings);
        long id = ids.next();
        var next = settings.after(settings.times(), store.now(tx));
        if (next.isEmpty()) {
            throw SagaProblem.invalid("endAt", Text.of("saga.schedule.field.no-due-time"));
        }
        if (!store.insert(tx, id, settings, next, caller.actor().hex())) {
            throw SagaProblem.scheduleTaken(settings.name());
        }
        return changed(tx, caller, id, Action.SCHEDULE_CREATED, Changes.NONE);
    }

    /** Changes the settings; due times from now on follow the new ones, in the name of the caller. */
    public Schedule change(Caller caller, long id, UnaryOperator<Settings> edit) {
        return db.inTransaction(tx -> {
            roles.requireOperator(tx, caller);
            var before = locked(tx, id);
            var settings = edit.apply(before.settings());
            check(tx, settings);
            var next = before.paused() ? Optional.<Instant>empty() : next(tx, before, settings);
            update(tx, id, settings, next, caller.actor().hex());
            var old = before.settings();
            var changes = Changes.NONE
                    .with("name", old.name(), settings.name())
                    .with("workflow", old.workflow(), settings.workflow())
                    .with("cron", old.cron(), settings.cron())
                    .with("every", old.every(), settings.every())
                    .with("timeZone", old.timeZone(), settings.timeZone())
                    .with("overlap", old.overlap(), settings.overlap())
                    .with("catchUp", old.catchUp(), settings.catchUp());
            return changed(tx, caller, id, Action.SCHEDULE_CHANGED, changes);
        });
    }

    /** Starts no further saga until it is resumed; repeating it changes the note. */
    public Schedule pause(Caller caller, long id, @Nullable String note) {
        if (note != null && (note.length() > MAX_NOTE_LENGTH || !StorableJson.isStorable(note))) {
            throw SagaProblem.invalid("note", Text.of("saga.field.length", "max", MAX_NOTE_LENGTH));
        }
        return db.inTransaction(tx -> {
            roles.requireOperator(tx, caller);
            locked(tx, id);
            store.pause(tx, id, note == null || note.isBlank() ? null : note.strip());
            return changed(tx, caller, id, Action.SCHEDULE_PAUSED, Changes.NONE);
        });
    }

    /** Continues with the first due time from now on: those of the pause are not caught up with. */
    public Schedule resume(Caller caller, long id) {
        return db.inTransaction(tx -> {
            roles.requireOperator(tx, caller);
            var schedule = locked(tx, id);
            if (schedule.paused()) {
                store.resume(tx, id, next(tx, schedule, schedule.settings()));
                return changed(tx, caller, id, Action.SCHEDULE_RESUMED, Changes.NONE);
            }
            return schedule;
        });
    }

    /** Starts a saga now, also while it is paused; refused while another runs, unless runs may overlap. */
    public Triggered trigger(Caller caller, long id) {
        return db.inTransaction(tx -> trigger(tx, caller, id));
    }

    /** As above, in the caller's transaction. */
    public Triggered trigger(Tx tx, Caller caller, long id) {
        roles.requireOperator(tx, caller);
        var schedule = locked(tx, id);
        var name = schedule.settings().name();
        var triggered = scheduler.trigger(tx, schedule, caller.actor().hex());
        audit.record(tx, caller, Action.SCHEDULE_TRIGGERED, Target.of(TargetKind.SCHEDULE, schedule.hex(), name));
        return triggered;
    }

    /** Deletes the schedule; the sagas that it started stay. */
    public void delete(Caller caller, long id) {
        db.useTransaction(tx -> {
            roles.requireOperator(tx, caller);
            var schedule = locked(tx, id);
            store.delete(tx, id);
            var name = schedule.settings().name();
            audit.record(tx, caller, Action.SCHEDULE_DELETED, Target.of(TargetKind.SCHEDULE, schedule.hex(), name));
        });
    }

    private Schedule locked(Tx tx, long id) {
        return store.lock(tx, id).orElseThrow(SagaProblem::noSchedule);
    }

    /** Never a due time again that was decided on. */
    private Optional<Instant> next(Tx tx, Schedule schedule, Settings settings) {
        var now = store.now(tx);
        var last = schedule.handledUntil();
        return settings.after(settings.times(), last != null && last.isAfter(now) ? last : now);
    }

    private Schedule changed(Tx tx, Caller caller, long id, Action action, Changes changes) {
        var schedule = store.find(tx, id).orElseThrow(SagaProblem::noSchedule);
        var target = Target.of(
                TargetKind.SCHEDULE, schedule.hex(), schedule.settings().name());
        audit.record(tx, caller, action, target, changes);
        tx.afterCommit(() -> commits.raise(TOPIC, Set.of(schedule.hex())));
        return schedule;
    }

    private void check(Tx tx, Settings settings) {
        requireText("name", settings.name());
        requireText("workflow", settings.workflow());
        if (Workflow.isBuiltIn(settings.workflow())) {
            throw SagaProblem.builtInWorkflow(settings.workflow());
        }
        settings.times();
        Schedule.requireWindow(settings.window());
        requireTime("startAt", settings.startAt());
        requireTime("endAt", settings.endAt());
        if (settings.startAt() != null
                && settings.endAt() != null
                && settings.endAt().isBefore(settings.startAt())) {
            throw SagaProblem.invalid("endAt", Text.of("saga.schedule.field.end"));
        }
        if (!StorableJson.isStorable(settings.payload())) {
            throw SagaProblem.invalid("payload", Text.of("saga.field.storable-json"));
        }
        if (settings.payload().toString().length() > MAX_PAYLOAD_LENGTH) {
            throw SagaProblem.invalid("payload", Text.of("saga.schedule.field.payload"));
        }
        NewSaga.requirePriority(settings.priority());
        var sent = Scheduler.payload(settings.payload(), store.now(tx));
        workflows.newest(tx, settings.workflow()).payload().required(sent);
    }

    private static void requireTime(String field, @Nullable Instant time) {
        if (time != null && (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST))) {
            throw SagaProblem.invalid(field, Text.of("http.field.time"));
        }
    }

    private static void requireText(String field, String text) {
        if (text.isBlank() || text.length() > MAX_NAME_LENGTH || !StorableJson.isStorable(text)) {
            throw SagaProblem.invalid(field, Text.of("saga.field.length", "max", MAX_NAME_LENGTH));
        }
    }

    private void update(Tx tx, long id, Settings settings, Optional<Instant> next, String by) {
        try {
            store.update(tx, id, settings, next, by);
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.UNIQUE_VIOLATION) ? SagaProblem.scheduleTaken(settings.name()) : e;
        }
    }
}
