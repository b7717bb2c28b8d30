package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Merge requests: opened, changed, reviewed, approved, merged, closed. */
final class MergeRequestEvents implements EventHandler {

    private static final Set<String> ENDS = Set.of("merge", "close");
    private static final Set<String> APPROVALS = Set.of("approved", "approval");

    private final Persons persons;
    private final Mirror mirror;
    private final Resources resources;
    private final Casting casting;
    private final Teller teller;
    private final Approvals approvals;
    private final MergeChecks checks;

    MergeRequestEvents(
            Persons persons,
            Mirror mirror,
            Resources resources,
            Casting casting,
            Teller teller,
            Approvals approvals,
            MergeChecks checks) {
        this.persons = persons;
        this.mirror = mirror;
        this.resources = resources;
        this.casting = casting;
        this.teller = teller;
        this.approvals = approvals;
        this.checks = checks;
    }

    @Override
    public Outcome handle(Event event) {
        var tx = event.tx();
        var attributes = event.attributes();
        var id = Fields.find(attributes, "id");
        if (id.isEmpty()) {
            return Outcome.ignored("It does not say which merge request it is about.");
        }
        var at = event.at(attributes);
        boolean opened = event.action().equals("open");
        var request = mirror.mergeRequest(event, attributes, id.get(), null).resource();
        var actor = persons.actor(event);
        var author = Teller.author(actor);
        persons.numbered(event, attributes, "author_id")
                .ifPresent(person -> resources.castAlso(tx, request.id(), Part.AUTHOR, person.id()));
        var given = new ArrayList<Person>();
        for (var telling : List.of(
                telling(event, Part.ASSIGNEE, "assignee", Action.ASSIGNED, at),
                telling(event, Part.REVIEWER, "reviewer", Action.REVIEW_REQUESTED, at))) {
            given.addAll(casting.take(event, request, telling, author, at));
        }
        given.addAll(approvals.take(event, request, author, at));
        teller.mention(tx, persons, event, request, Changes.named(event, opened), author, at);
        var concerned = concerned(event, request);
        review(event, request, actor, concerned, at);
        given.addAll(checks.take(event, request, concerned, at));
        if (ENDS.contains(event.action())) {
            teller.moot(tx, request, Moot.MERGE_REQUEST_ENDED, at);
        }
        if (!event.isAutomatic()) {
            actor.ifPresent(person -> teller.acted(tx, request, person, at, given));
        }
        teller.stir(tx, request, event.action().equals("merge") ? Stir.MERGE : Stir.ANY);
        return Outcome.handled("Merge request %s: %s".formatted(id.get(), event.action()));
    }

    private Casting.Telling telling(Event event, Part part, String single, Action asks, Instant at) {
        var list = single + "s";
        return new Casting.Telling(
                part,
                persons.players(event, list, single),
                Changes.of(event, persons, list).or(() -> askedAnew(event, list)),
                event.action().equals("open"),
                asks,
                Fields.time(event.attributes(), "created_at").orElse(at));
    }

    /** Some GitLabs mark whom they ask anew only in the list itself. */
    private Optional<Casting.Change> askedAnew(Event event, String list) {
        var anew = persons.all(
                event,
                Fields.objects(event.root().path(list)).stream()
                        .filter(node -> Fields.flag(node, "re_requested"))
                        .toList());
        return anew.isEmpty() || event.action().equals("open")
                ? Optional.empty()
                : Optional.of(new Casting.Change(anew, List.of()));
    }

    /** Whose it is at the time of the event: its author's and its assignees'. */
    private List<Person> concerned(Event event, Resource request) {
        var concerned = new ArrayList<Person>();
        persons.numbered(event, event.attributes(), "author_id").ifPresent(concerned::add);
        concerned.addAll(persons.players(event, "assignees", "assignee")
                .orElseGet(() -> resources.players(event.tx(), request.id(), Part.ASSIGNEE)));
        return Persons.distinct(concerned);
    }

    /**
     * A review is news to those who wait for it. GitLab does not always move a merge request's time on when somebody
     * approves it: what its author did in that very moment must not pass for an answer.
     */
    private void review(Event event, Resource request, Optional<Person> actor, List<Person> concerned, Instant at) {
        var tx = event.tx();
        var reviewers = new ArrayList<Person>(Changes.reviewed(event, persons));
        if (APPROVALS.contains(event.action())) {
            actor.ifPresent(reviewers::add);
        }
        if (reviewers.isEmpty()) {
            return;
        }
        for (var reviewer : Persons.distinct(reviewers)) {
            var news = News.of(request, Action.REVIEW_SUBMITTED, Author.of(reviewer), at.plus(1, ChronoUnit.MICROS));
            teller.tell(tx, news, concerned);
        }
    }
}
