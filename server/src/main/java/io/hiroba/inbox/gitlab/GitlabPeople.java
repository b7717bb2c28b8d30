package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.PersonDescription;
import io.hiroba.inbox.fanout.PersonId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Mirrors the people of payloads. */
final class GitlabPeople {

    private final ExternalPeople people;

    GitlabPeople(ExternalPeople people) {
        this.people = people;
    }

    Optional<ExternalPerson> find(GitlabEvent event, PersonId id) {
        return people.find(event.tx(), id);
    }

    /** The person who triggered the event. */
    Optional<ExternalPerson> actor(GitlabEvent event) {
        return of(event, event.root().path("user"));
    }

    Optional<ExternalPerson> of(GitlabEvent event, JsonNode node) {
        return of(event, node, "");
    }

    /** @param prefix of the names of the fields, such as {@code user_} */
    Optional<ExternalPerson> of(GitlabEvent event, JsonNode node, String prefix) {
        return of(
                event,
                new PersonDescription(
                        JsonFields.number(node, prefix + "id")
                                .map(String::valueOf)
                                .orElse(null),
                        JsonFields.find(node, prefix + "username").orElse(null),
                        JsonFields.find(node, prefix + "email").orElse(null),
                        JsonFields.find(node, prefix + "name").orElse(null),
                        JsonFields.find(node, prefix + "avatar_url", prefix + "avatar")
                                .orElse(null)));
    }

    /** The person who has another user name now. */
    Optional<ExternalPerson> renamed(GitlabEvent event) {
        var root = event.root();
        return JsonFields.number(root, "user_id")
                .flatMap(id -> of(
                        event,
                        new PersonDescription(
                                String.valueOf(id),
                                JsonFields.find(root, "username").orElse(null),
                                null,
                                JsonFields.find(root, "name").orElse(null),
                                null)));
    }

    Optional<ExternalPerson> numbered(GitlabEvent event, JsonNode node, String field) {
        return JsonFields.number(node, field)
                .flatMap(id -> of(event, new PersonDescription(String.valueOf(id), null, null, null, null)));
    }

    List<ExternalPerson> named(GitlabEvent event, Collection<String> usernames) {
        return usernames.stream()
                .sorted()
                .flatMap(name -> of(event, PersonDescription.byUsername(name)).stream())
                .toList();
    }

    private Optional<ExternalPerson> of(GitlabEvent event, PersonDescription described) {
        return PersonDescription.of(described).map(known -> people.of(event.tx(), event.connection(), known));
    }

    /**
     * The participants of a role, from the list of people or else of their ids. Empty if the payload has neither, which is
     * not the same as an empty list.
     *
     * @param list for example {@code assignees}; in the root or in the attributes
     * @param single for example {@code assignee}
     */
    Optional<List<ExternalPerson>> participants(GitlabEvent event, String list, String single) {
        var attributes = event.attributes();
        var numbers = attributes.path(single + "_ids");
        for (var node : List.of(event.root().path(list), attributes.path(list))) {
            if (node.isArray()) {
                return Optional.of(all(event, JsonFields.objects(node)));
            }
        }
        for (var node : List.of(event.root().path(single), attributes.path(single))) {
            if (node.isObject()) {
                return Optional.of(all(event, List.of(node)));
            }
        }
        if (numbers.isArray()) {
            return Optional.of(ExternalPerson.distinct(numbers.values().stream()
                    .filter(JsonNode::isIntegralNumber)
                    .flatMap(number ->
                            of(event, new PersonDescription(number.asString(""), null, null, null, null)).stream())
                    .toList()));
        }
        return attributes.has(single + "_id")
                ? Optional.of(
                        numbered(event, attributes, single + "_id").stream().toList())
                : Optional.empty();
    }

    List<ExternalPerson> all(GitlabEvent event, List<JsonNode> nodes) {
        return ExternalPerson.distinct(
                nodes.stream().flatMap(node -> of(event, node).stream()).toList());
    }
}
