package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.resources.Namespace;
import io.hiroba.inbox.resources.Person;
import java.time.Instant;
import java.util.Locale;

/** Members of groups and projects: who comes, who goes, and who asks to be let in. */
final class MemberEvents implements EventHandler {

    private final Persons persons;
    private final Places places;
    private final Mirror mirror;
    private final Teller teller;
    private final Stewards stewards;
    private final Members members;
    private final MemberStore store = new MemberStore();

    MemberEvents(Persons persons, Places places, Mirror mirror, Teller teller, Stewards stewards, Members members) {
        this.persons = persons;
        this.places = places;
        this.mirror = mirror;
        this.teller = teller;
        this.stewards = stewards;
        this.members = members;
    }

    @Override
    public Outcome handle(Event event) {
        var root = event.root();
        var member = persons.of(event, root, "user_");
        if (member.isEmpty()) {
            return Outcome.ignored("It does not say whom it is about.");
        }
        var at = event.at(root);
        boolean group = event.kind().endsWith("_group");
        var namespace = group ? places.group(event, root, at) : places.of(event, at);
        var tx = event.tx();
        var person = member.get();
        switch (event.kind().replaceFirst("_(group|team|project)$", "")) {
            case "user_access_request_to" -> ask(event, namespace, person, at);
            case "user_access_request_denied_for", "user_access_request_revoked_for" -> {
                store.refuse(tx, namespace.id(), person.id(), at);
                answered(event, namespace, person, at);
            }
            case "user_remove_from" -> {
                members.left(tx, namespace.id(), person.id(), at);
                answered(event, namespace, person, at);
            }
            default -> {
                members.joined(tx, namespace.id(), person.id(), access(event), at);
                answered(event, namespace, person, at);
            }
        }
        return Outcome.handled("%s: %s".formatted(namespace.path(), event.kind()));
    }

    private void ask(Event event, Namespace namespace, Person person, Instant at) {
        var tx = event.tx();
        var resource = mirror.group(event, namespace, null);
        boolean answered = store.changedAt(tx, namespace.id(), person.id())
                .filter(changed -> !changed.isBefore(at))
                .isPresent();
        var news = News.of(resource, Action.MEMBER_ACCESS_REQUESTED, Author.of(person), at);
        stewards.tell(tx, namespace.id(), answered ? news.asMoot() : news);
    }

    /** Whoever has come, gone or is refused asks for nothing any more. */
    private void answered(Event event, Namespace namespace, Person person, Instant at) {
        var resource = mirror.group(event, namespace, null);
        teller.settle(event.tx(), resource, Action.MEMBER_ACCESS_REQUESTED, person, at);
    }

    private static int access(Event event) {
        var text = Fields.find(event.root(), "group_access", "access_level", "project_access")
                .orElse("")
                .toLowerCase(Locale.ROOT);
        return switch (text) {
            case "owner" -> 50;
            case "maintainer", "master" -> 40;
            case "developer" -> 30;
            case "reporter" -> 20;
            case "planner" -> 15;
            case "minimal access", "minimal" -> 5;
            default -> text.matches("\\d{1,3}") ? Integer.parseInt(text) : 10;
        };
    }
}
