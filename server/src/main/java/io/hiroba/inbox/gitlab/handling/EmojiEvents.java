package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.resources.Resource;
import java.util.List;

/** Reactions: whoever gives one has answered what was asked of them. Taking it back asks nothing anew. */
final class EmojiEvents implements EventHandler {

    private final Persons persons;
    private final Mirror mirror;
    private final Teller teller;

    EmojiEvents(Persons persons, Mirror mirror, Teller teller) {
        this.persons = persons;
        this.mirror = mirror;
        this.teller = teller;
    }

    @Override
    public Outcome handle(Event event) {
        var attributes = event.attributes();
        if (event.action().equals("revoke")
                || Fields.text(event.root(), "event_type").equals("revoke")) {
            return Outcome.ignored("A reaction that is taken back asks nothing of anybody.");
        }
        var url = Fields.find(attributes, "awarded_on_url").orElse(null);
        var target = mirror.target(event, url);
        var note = event.root().path("note");
        var about = Fields.find(note, "id")
                .map(id -> mirror.note(event, note, id, target.map(Resource::id).orElse(null))
                        .resource())
                .or(() -> target);
        var actor = persons.actor(event).or(() -> persons.numbered(event, attributes, "user_id"));
        if (about.isEmpty() || actor.isEmpty()) {
            return Outcome.ignored("It is a reaction to something that is not mirrored.");
        }
        var at = Fields.time(attributes, "created_at", "updated_at").orElse(event.receivedAt());
        teller.acted(event.tx(), about.get(), actor.get(), at, List.of());
        teller.stir(event.tx(), target.orElse(about.get()), Stir.ANY);
        return Outcome.handled("Reaction to %s %s"
                .formatted(about.get().type().text(), about.get().externalId()));
    }
}
