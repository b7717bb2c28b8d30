package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.gitlab.handling.Casting.Change;
import io.hiroba.inbox.resources.Person;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What an event says has changed: {@code changes.assignees.previous} and {@code .current}. */
final class Changes {

    private Changes() {}

    /** Who came and went. Somebody who is asked anew comes, too. */
    static Optional<Change> of(Event event, Persons persons, String list) {
        var change = event.changes().path(list);
        if (!change.isObject()) {
            return Optional.empty();
        }
        var before = persons.all(event, Fields.objects(change.path("previous")));
        var current = Fields.objects(change.path("current"));
        var after = persons.all(event, current);
        var anew = persons.all(
                event,
                current.stream()
                        .filter(node -> Fields.flag(node, "re_requested"))
                        .toList());
        var come = new ArrayList<Person>(Persons.minus(after, before));
        come.addAll(anew);
        return Optional.of(new Change(Persons.distinct(come), Persons.minus(before, after)));
    }

    /** Those who have given their review: whose state was another before. */
    static List<Person> reviewed(Event event, Persons persons) {
        var change = event.changes().path("reviewers");
        var before = Fields.objects(change.path("previous"));
        return persons.all(
                event,
                Fields.objects(change.path("current")).stream()
                        .filter(Changes::isReviewed)
                        .filter(node -> before.stream().noneMatch(old -> isSame(old, node) && isReviewed(old)))
                        .toList());
    }

    private static boolean isReviewed(JsonNode reviewer) {
        return switch (Fields.text(reviewer, "state")) {
            case "reviewed", "requested_changes", "approved" -> true;
            default -> false;
        };
    }

    private static boolean isSame(JsonNode one, JsonNode other) {
        return Stream.of("id", "username")
                .anyMatch(field -> Fields.find(one, field)
                        .filter(value -> value.equals(Fields.text(other, field)))
                        .isPresent());
    }

    /** Whom a description names that it did not name before; nobody, if it has not changed. */
    static Mentions named(Event event, boolean first) {
        var change = event.changes().path("description");
        if (change.isObject() && !first) {
            return Mentions.of(Fields.whole(change, "current")).without(Mentions.of(Fields.whole(change, "previous")));
        }
        return first ? Mentions.of(Fields.whole(event.attributes(), "description")) : Mentions.NONE;
    }
}
