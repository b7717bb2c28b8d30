package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.Resources;

/** Issues and other work items: opened, changed, closed, reopened. */
final class IssueEvents implements EventHandler {

    private final Persons persons;
    private final Mirror mirror;
    private final Resources resources;
    private final Casting casting;
    private final Teller teller;

    IssueEvents(Persons persons, Mirror mirror, Resources resources, Casting casting, Teller teller) {
        this.persons = persons;
        this.mirror = mirror;
        this.resources = resources;
        this.casting = casting;
        this.teller = teller;
    }

    @Override
    public Outcome handle(Event event) {
        var tx = event.tx();
        var attributes = event.attributes();
        var id = Fields.find(attributes, "id");
        if (id.isEmpty()) {
            return Outcome.ignored("It does not say which issue it is about.");
        }
        var at = event.at(attributes);
        boolean opened = event.action().equals("open");
        var issue = mirror.issue(event, attributes, Mirror.workItemId(event.kind(), id.get()), null)
                .resource();
        var actor = persons.actor(event);
        var author = Teller.author(actor);
        persons.numbered(event, attributes, "author_id")
                .ifPresent(person -> resources.castAlso(tx, issue.id(), Part.AUTHOR, person.id()));
        var given = casting.take(
                event,
                issue,
                new Casting.Telling(
                        Part.ASSIGNEE,
                        persons.players(event, "assignees", "assignee"),
                        Changes.of(event, persons, "assignees"),
                        opened,
                        Action.ASSIGNED,
                        Fields.time(attributes, "created_at").orElse(at)),
                author,
                at);
        teller.mention(tx, persons, event, issue, Changes.named(event, opened), author, at);
        if (event.action().equals("close")) {
            teller.moot(tx, issue, Moot.ISSUE_CLOSED, at);
        } else if (Mirror.state(attributes).equals("closed")) {
            Fields.time(attributes, "closed_at").ifPresent(closed -> teller.moot(tx, issue, Moot.ISSUE_CLOSED, closed));
        }
        if (!event.isAutomatic()) {
            actor.ifPresent(person -> teller.acted(tx, issue, person, at, given));
        }
        teller.stir(tx, issue, Stir.ANY);
        return Outcome.handled("Issue %s: %s".formatted(id.get(), event.action()));
    }
}
