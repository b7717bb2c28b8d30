package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.Operators;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Notifies the owner of a schedule of a saga that could not be started or has failed, until one of its sagas completes. */
final class ScheduleEventHandler implements HirobaEvents.Handler {

    private static final String FAILED = "schedule-failed";
    private static final String DELETED = "schedule-deleted";
    private static final String CHANGED = "saga-changed";

    /** The correlation id of a saga that a schedule started. */
    private static final Pattern RUN = Pattern.compile("schedule:([0-9A-F]{16}):.*");

    private final HirobaResources resources;
    private final Operators operators;

    ScheduleEventHandler(HirobaResources resources, Operators operators) {
        this.resources = resources;
        this.operators = operators;
    }

    @Override
    public Set<String> types() {
        return Set.of(FAILED, DELETED, CHANGED);
    }

    /** Nearly all runs complete, and hardly one after another that failed. */
    @Override
    public Set<String> urgentTypes() {
        return Set.of(FAILED, DELETED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        for (var event : events) {
            switch (event.type()) {
                case FAILED -> notify(tx, event);
                case DELETED -> resources.delete(tx, ResourceType.SAGA, id(event));
                default -> {}
            }
        }
        var completed =
                events.stream().filter(event -> schedule(event).matches()).toList();
        if (completed.isEmpty()) {
            return;
        }
        var known = resources.mirrored(
                tx,
                ResourceType.SAGA,
                completed.stream()
                        .map(ScheduleEventHandler::scheduleOf)
                        .distinct()
                        .toList());
        for (var event : completed) {
            if (known.contains(scheduleOf(event))) {
                resources
                        .find(tx, ResourceType.SAGA, scheduleOf(event))
                        .ifPresent(schedule -> resources.autoResolve(
                                tx, schedule, Set.of(Action.SCHEDULE_FAILED), HirobaResources.happenedAt(event)));
            }
        }
    }

    /** Whoever is no operator any more cannot see the schedule: then it is up to those who are. */
    private void notify(Tx tx, Event event) {
        var all = operators.list(tx);
        var name = event.payload().path("owner").asString("");
        var owner = all.stream()
                .filter(each -> Ids.isId(name) && each.equals(UserId.parse(name)))
                .toList();
        var at = HirobaResources.happenedAt(event);
        var schedule = resources.mirror(
                tx,
                "hiroba/schedules",
                id(event),
                event.payload().path("name").asString(""),
                "/schedules/" + id(event),
                "failed",
                at,
                new ResourceDetails.Saga(null));
        resources.notify(
                tx, schedule, Action.SCHEDULE_FAILED, NotificationAuthor.NOBODY, owner.isEmpty() ? all : owner, at);
    }

    private static String id(Event event) {
        return event.payload().path("scheduleId").asString("");
    }

    private static Matcher schedule(Event event) {
        boolean completed = event.type().equals(CHANGED)
                && event.payload().path("status").asString("").equals("COMPLETED");
        return RUN.matcher(completed ? event.payload().path("correlationId").asString("") : "");
    }

    private static String scheduleOf(Event event) {
        var matcher = schedule(event);
        return matcher.matches() ? matcher.group(1) : "";
    }
}
