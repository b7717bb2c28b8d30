package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Comments: whom they name, and that whoever writes one has answered what was asked of them. */
final class NoteEvents implements EventHandler {

    private static final String OFF_THE_TRAIN = "removed this merge request from the merge train";

    private final Persons persons;
    private final Mirror mirror;
    private final Resources resources;
    private final Teller teller;
    private final NamingStore namings = new NamingStore();

    NoteEvents(Persons persons, Mirror mirror, Resources resources, Teller teller) {
        this.persons = persons;
        this.mirror = mirror;
        this.resources = resources;
        this.teller = teller;
    }

    @Override
    public Outcome handle(Event event) {
        var attributes = event.attributes();
        var id = Fields.find(attributes, "id");
        if (id.isEmpty()) {
            return Outcome.ignored("It does not say which comment it is about.");
        }
        var target = mirror.target(event, Fields.find(attributes, "url").orElse(null));
        if (Fields.flag(attributes, "system")) {
            return system(event, target);
        }
        var at = event.at(attributes);
        var actor = persons.actor(event).or(() -> persons.numbered(event, attributes, "author_id"));
        var note = mirror.note(
                        event, attributes, id.get(), target.map(Resource::id).orElse(null))
                .resource();
        var mentions = Mentions.of(Fields.whole(attributes, "note"));
        var author = Teller.author(actor);
        name(event, note, Action.DIRECTLY_ADDRESSED, persons.named(event, mentions.addressed()), author, at);
        name(event, note, Action.MENTIONED, persons.named(event, mentions.mentioned()), author, at);
        var about = target.orElse(note);
        actor.ifPresent(person -> teller.acted(event.tx(), about, person, at, List.of()));
        teller.stir(event.tx(), about, Stir.COMMENT);
        return Outcome.handled("Comment %s".formatted(id.get()));
    }

    /** Tells those who are named for the first time; somebody whom an earlier version named, as of then. */
    private void name(Event event, Resource note, Action action, List<Person> named, Author author, Instant at) {
        var tx = event.tx();
        var fresh = new ArrayList<Person>();
        for (var person : named) {
            var since = namings.since(tx, note.id(), person.id());
            if (since.isPresent() && !at.isBefore(since.get())) {
                continue;
            }
            if (since.isPresent()) {
                for (var earlier : List.of(Action.MENTIONED, Action.DIRECTLY_ADDRESSED)) {
                    teller.withdraw(tx, note, earlier, List.of(person), since.get());
                }
            }
            namings.save(tx, note.id(), person.id(), at);
            fresh.add(person);
        }
        teller.tell(tx, News.of(note, action, author, at), fresh);
    }

    /** GitLab writes some of what it does as comments; it is what it says that counts, nobody has written it. */
    private Outcome system(Event event, Optional<Resource> target) {
        var text = Fields.text(event.attributes(), "note");
        if (target.isEmpty() || target.get().type() != ResourceType.MERGE_REQUEST || !text.contains(OFF_THE_TRAIN)) {
            return Outcome.ignored("It is a comment that GitLab wrote itself.");
        }
        var tx = event.tx();
        var request = target.get();
        var concerned = new ArrayList<Person>(resources.players(tx, request.id(), Part.AUTHOR));
        concerned.addAll(resources.players(tx, request.id(), Part.ASSIGNEE));
        if (concerned.isEmpty()) {
            persons.numbered(event, event.root().path("merge_request"), "author_id")
                    .ifPresent(concerned::add);
        }
        var at = event.at(event.attributes());
        teller.tell(
                tx, News.of(request, Action.MERGE_TRAIN_REMOVED, Teller.author(persons.actor(event)), at), concerned);
        return Outcome.handled("Merge request %s left its merge train".formatted(request.externalId()));
    }
}
