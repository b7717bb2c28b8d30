package io.hiroba.inbox.gitlab;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A random but reproducible history of GitLab webhook events, one a minute. */
final class EventHistory {

    static final List<String> PEOPLE = List.of("ann", "bob", "cleo", "dan", "eve");

    private static final Instant BEGIN = Instant.parse("2026-05-06T08:00:00Z");
    static final int THINGS = 2;

    private final Random random;
    private final int base;
    private final List<Thing> things = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private int notes;
    private int pipelines;

    private EventHistory(long seed, int base) {
        random = new Random(seed);
        this.base = base;
        notes = base + 100;
        pipelines = base;
    }

    /** An issue or a merge request, as it stands. */
    private static final class Thing {
        final int id;
        final boolean request;
        String title;
        String state = "opened";
        String status = "mergeable";
        Instant updated = BEGIN;
        final Set<String> assignees = new TreeSet<>();
        final Set<String> reviewers = new TreeSet<>();

        Thing(int id, boolean request) {
            this.id = id;
            this.request = request;
            title = "Thing";
        }
    }

    /**
     * Creates a history.
     *
     * @param base is added to all ids, and is in the path of the project: one database holds many histories
     */
    static List<String> of(long seed, int length, int base) {
        var history = new EventHistory(seed, base);
        for (int id = 1; id <= THINGS; id++) {
            var thing = new Thing(base + id, id % 2 == 0);
            thing.assignees.add(history.somebody());
            history.things.add(thing);
            history.append(thing, "open", history.somebody(), "Ask @" + history.somebody(), "");
        }
        while (history.events.size() < length) {
            history.happen();
        }
        return history.events;
    }

    private String somebody() {
        return PEOPLE.get(random.nextInt(PEOPLE.size()));
    }

    private Instant now() {
        return BEGIN.plusSeconds(60L * (events.size() + 1));
    }

    private void happen() {
        var thing = things.get(random.nextInt(things.size()));
        List<Supplier<Boolean>> all = List.of(
                () -> change(thing, thing.assignees, "assignees"),
                () -> thing.request && change(thing, thing.reviewers, "reviewers"),
                () -> turn(thing),
                () -> turn(thing),
                () -> rename(thing),
                () -> member(),
                () -> comment(thing),
                () -> react(thing),
                () -> thing.request && check(thing),
                () -> thing.request && build(thing),
                () -> thing.request && approve(thing));
        boolean happened;
        do {
            happened = all.get(random.nextInt(all.size())).get();
        } while (!happened);
    }

    private boolean change(Thing thing, Set<String> players, String list) {
        var before = new TreeSet<>(players);
        var who = somebody();
        if (!players.remove(who)) {
            players.add(who);
        }
        append(
                thing,
                "update",
                somebody(),
                "",
                ", 'changes': {'%s': {'previous': %s, 'current': %s}}"
                        .formatted(list, people(before), people(players)));
        return true;
    }

    private boolean turn(Thing thing) {
        boolean open = thing.state.equals("opened");
        boolean merge = thing.request && random.nextBoolean();
        if (thing.state.equals("merged")) {
            return false;
        }
        thing.state = !open ? "opened" : merge ? "merged" : "closed";
        append(thing, !open ? "reopen" : merge ? "merge" : "close", somebody(), "", "");
        return true;
    }

    private boolean rename(Thing thing) {
        thing.title = "Thing " + events.size();
        append(thing, "update", somebody(), "", ", 'changes': {'title': {'current': '%s'}}".formatted(thing.title));
        return true;
    }

    private boolean member() {
        var who = somebody();
        var kind = List.of("add_to", "update_for", "remove_from").get(random.nextInt(3));
        events.add("""
                {'event_name': 'user_%s_group', 'group_path': 'harbour%d', 'group_id': %d, 'group_access': '%s',
                 'user_id': %d, 'user_username': '%s', 'updated_at': '%s'}
                """.formatted(kind, base, base, random.nextBoolean() ? "Guest" : "Owner", number(who), who, now()));
        return true;
    }

    private boolean check(Thing thing) {
        thing.status = thing.status.equals("conflict") ? "mergeable" : "conflict";
        append(thing, "update", somebody(), "", "");
        return true;
    }

    private boolean approve(Thing thing) {
        append(thing, random.nextBoolean() ? "approved" : "approval", somebody(), "", "");
        return true;
    }

    private boolean comment(Thing thing) {
        int id = notes++;
        note(thing, id, "create", "Well, @%s".formatted(somebody()));
        if (random.nextBoolean()) {
            note(thing, id, "update", "Well, @%s and @%s".formatted(somebody(), somebody()));
        }
        return true;
    }

    private boolean build(Thing thing) {
        int number = pipelines++;
        var user = somebody();
        var ended = now();
        events.add("""
                {'object_kind': 'pipeline', 'user': %s, %s,
                 'object_attributes': {'id': %d, 'ref': 'b', 'sha': 's%d', 'status': '%s', 'finished_at': '%s'},
                 'merge_request': {'id': %d, 'title': '%s', 'state': 'opened'},
                 'commit': {'id': 's%d', 'message': 'M', 'timestamp': '2026-05-06T07:00:00Z'}}
                """.formatted(
                        person(user),
                        project(),
                        number,
                        number,
                        random.nextInt(3) == 0 ? "success" : "failed",
                        ended,
                        thing.id,
                        thing.title,
                        number));
        return true;
    }

    private boolean react(Thing thing) {
        events.add("""
                {'object_kind': 'emoji', 'event_type': 'award', 'user': %s, %s,
                 'object_attributes': {'created_at': '%s', 'action': 'award', 'awardable_type': 'X'}, %s}
                """.formatted(person(somebody()), project(), now(), target(thing)));
        return true;
    }

    private void note(Thing thing, int id, String action, String text) {
        var at = now();
        events.add("""
                {'object_kind': 'note', 'user': %s, %s,
                 'object_attributes': {'id': %d, 'note': '%s', 'action': '%s', 'updated_at': '%s'}, %s}
                """.formatted(person(somebody()), project(), id, text, action, at, target(thing)));
    }

    private static String target(Thing thing) {
        return "'%s': {'id': %d, 'title': '%s', 'state': '%s', 'updated_at': '%s', 'detailed_merge_status': '%s'}"
                .formatted(
                        thing.request ? "merge_request" : "issue",
                        thing.id,
                        thing.title,
                        thing.state,
                        thing.updated,
                        thing.status);
    }

    private void append(Thing thing, String action, String actor, String description, String rest) {
        thing.updated = now();
        events.add("""
                {'object_kind': '%s', 'user': %s, %s,
                 'object_attributes': {'id': %d, 'iid': %d, 'title': '%s', 'author_id': 1, 'state': '%s',
                     'action': '%s', 'created_at': '%s', 'updated_at': '%s', 'description': '%s' %s},
                 'assignees': %s %s %s}
                """.formatted(
                        thing.request ? "merge_request" : "issue",
                        person(actor),
                        project(),
                        thing.id,
                        thing.id - base,
                        thing.title,
                        thing.state,
                        action,
                        BEGIN.plusSeconds(60L * (thing.id - base)),
                        thing.updated,
                        description,
                        thing.request ? ", 'detailed_merge_status': '%s'".formatted(thing.status) : "",
                        people(thing.assignees),
                        thing.request ? ", 'reviewers': " + people(thing.reviewers) : "",
                        rest));
    }

    private String project() {
        return "'project': {'id': %d, 'path_with_namespace': 'harbour%d/boat'}".formatted(base, base);
    }

    private static String people(Collection<String> names) {
        return names.stream().map(EventHistory::person).collect(Collectors.joining(", ", "[", "]"));
    }

    static int number(String name) {
        return PEOPLE.indexOf(name) + 1;
    }

    private static String person(String name) {
        return "{'id': %d, 'username': '%s'}".formatted(number(name), name);
    }
}
