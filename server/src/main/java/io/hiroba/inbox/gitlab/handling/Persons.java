package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.Described;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Person;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The people in payloads, however little is said of them. */
final class Persons {

    private final People people;

    Persons(People people) {
        this.people = people;
    }

    /** Who did it. */
    Optional<Person> actor(Event event) {
        return of(event, event.root().path("user"));
    }

    Optional<Person> of(Event event, JsonNode node) {
        return of(event, node, "");
    }

    /** @param prefix what the fields' names begin with, such as {@code user_} */
    Optional<Person> of(Event event, JsonNode node, String prefix) {
        return of(
                event,
                new Described(
                        Fields.number(node, prefix + "id").map(String::valueOf).orElse(null),
                        Fields.find(node, prefix + "username").orElse(null),
                        Fields.find(node, prefix + "email").orElse(null),
                        Fields.find(node, prefix + "name").orElse(null),
                        Fields.find(node, prefix + "avatar_url", prefix + "avatar")
                                .orElse(null)));
    }

    Optional<Person> numbered(Event event, JsonNode node, String field) {
        return Fields.number(node, field)
                .flatMap(id -> of(event, new Described(String.valueOf(id), null, null, null, null)));
    }

    List<Person> named(Event event, Collection<String> usernames) {
        return usernames.stream()
                .sorted()
                .flatMap(name -> of(event, Described.byUsername(name)).stream())
                .toList();
    }

    private Optional<Person> of(Event event, Described described) {
        return Described.of(described).map(known -> people.of(event.tx(), event.connection(), known));
    }

    /**
     * Who plays a part: those listed, or if the list is missing, those whose numbers are. None at all where nothing is
     * said, which is not the same as nobody.
     *
     * @param list for example {@code assignees}; beside the event's attributes or among them
     * @param single for example {@code assignee}
     */
    Optional<List<Person>> players(Event event, String list, String single) {
        var attributes = event.attributes();
        var numbers = attributes.path(single + "_ids");
        for (var node : List.of(event.root().path(list), attributes.path(list))) {
            if (node.isArray()) {
                return Optional.of(all(event, Fields.objects(node)));
            }
        }
        for (var node : List.of(event.root().path(single), attributes.path(single))) {
            if (node.isObject()) {
                return Optional.of(all(event, List.of(node)));
            }
        }
        if (numbers.isArray()) {
            return Optional.of(distinct(numbers.values().stream()
                    .filter(JsonNode::isIntegralNumber)
                    .flatMap(number -> of(event, new Described(number.asString(""), null, null, null, null)).stream())
                    .toList()));
        }
        return attributes.has(single + "_id")
                ? Optional.of(
                        numbered(event, attributes, single + "_id").stream().toList())
                : Optional.empty();
    }

    List<Person> all(Event event, List<JsonNode> nodes) {
        return distinct(nodes.stream().flatMap(node -> of(event, node).stream()).toList());
    }

    static List<Person> distinct(Collection<Person> some) {
        var distinct = new LinkedHashMap<Long, Person>();
        some.forEach(person -> distinct.putIfAbsent(person.id().value(), person));
        return List.copyOf(distinct.values());
    }

    static boolean has(Collection<Person> some, Person person) {
        return some.stream().anyMatch(other -> other.id().equals(person.id()));
    }

    static List<Person> minus(Collection<Person> some, Collection<Person> others) {
        return some.stream().filter(person -> !has(others, person)).toList();
    }
}
