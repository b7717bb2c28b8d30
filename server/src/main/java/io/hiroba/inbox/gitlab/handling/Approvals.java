package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Who has to approve a merge request, where its events name them. */
final class Approvals {

    private static final List<String> LISTS = List.of("eligible_approvers", "approvers", "users");

    private final Persons persons;
    private final Resources resources;
    private final Casting casting;
    private final Teller teller;

    Approvals(Persons persons, Resources resources, Casting casting, Teller teller) {
        this.persons = persons;
        this.resources = resources;
        this.casting = casting;
        this.teller = teller;
    }

    /** Answers whom this event itself asks something of. */
    List<Person> take(Event event, Resource request, Author author, Instant at) {
        var tx = event.tx();
        var change = Changes.of(event, persons, "approvers");
        var telling = new Casting.Telling(
                Part.APPROVER,
                listed(event),
                change,
                event.action().equals("open"),
                change.isPresent() ? Action.ADDED_APPROVER : Action.APPROVAL_REQUIRED,
                Fields.time(event.attributes(), "created_at").orElse(at));
        var before = resources.players(tx, request.id(), Part.APPROVER);
        var given = new ArrayList<Person>(casting.take(event, request, telling, author, at));
        var gone = new ArrayList<Person>(Persons.minus(before, resources.players(tx, request.id(), Part.APPROVER)));
        change.ifPresent(told -> gone.addAll(told.gone()));
        for (var asked : List.of(Action.APPROVAL_REQUIRED, Action.ADDED_APPROVER)) {
            teller.withdraw(tx, request, asked, gone, at);
        }
        if (event.action().equals("approved")) {
            teller.moot(tx, request, Moot.APPROVED, at);
        } else if (isAskedAnew(event)) {
            var approvers = resources.players(tx, request.id(), Part.APPROVER);
            teller.tell(tx, News.of(request, Action.APPROVAL_REQUIRED, author, at), approvers);
            given.addAll(approvers);
        }
        return given;
    }

    /** An approval was taken back, or new commits have made it void. */
    private static boolean isAskedAnew(Event event) {
        return event.action().equals("unapproved")
                || Fields.text(event.attributes(), "system_action").contains("approvals_reset")
                || Fields.text(event.root(), "system_action").contains("approvals_reset");
    }

    private Optional<List<Person>> listed(Event event) {
        var found = new ArrayList<JsonNode>();
        boolean said = false;
        for (var node : List.of(event.root(), event.attributes())) {
            said |= node.path("approvers").isArray()
                    || node.path("approval_rules").isArray();
            found.addAll(Fields.objects(node.path("approvers")));
            for (var rule : Fields.objects(node.path("approval_rules"))) {
                LISTS.forEach(list -> found.addAll(Fields.objects(rule.path(list))));
            }
        }
        return said ? Optional.of(persons.all(event, found)) : Optional.empty();
    }
}
