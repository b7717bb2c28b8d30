package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Gives the parts in a resource to those whom events name, and tells who comes and who goes. What an event says of its
 * change is told as of its time, in whichever order events come: to somebody who has left since, as done.
 */
final class Casting {

    private final Resources resources;
    private final Teller teller;
    private final CastingStore store = new CastingStore();

    Casting(Resources resources, Teller teller) {
        this.resources = resources;
        this.teller = teller;
    }

    /** Who came and who went, as an event says. */
    record Change(List<Person> come, List<Person> gone) {}

    /**
     * A part as an event tells of it.
     *
     * @param listed who plays it now; none if nothing is said
     * @param change who came and went; none if nothing is said
     * @param first whether there was nobody before: the resource is new
     * @param asks what those who come are asked
     * @param since when the resource was made: somebody whose coming was missed came no earlier
     */
    record Telling(
            Part part,
            Optional<List<Person>> listed,
            Optional<Change> change,
            boolean first,
            Action asks,
            Instant since) {}

    /** Answers whom this event itself asks something of. */
    List<Person> take(Event event, Resource resource, Telling telling, Author author, Instant at) {
        var tx = event.tx();
        var part = telling.part();
        var toldAt = store.toldAt(tx, resource.id(), part);
        boolean newest = toldAt.isEmpty() || !at.isBefore(toldAt.get());
        var before = resources.players(tx, resource.id(), part);
        var listed = telling.listed();
        if (listed.isPresent() && newest) {
            resources.cast(
                    tx,
                    resource.id(),
                    part,
                    listed.get().stream().map(Person::id).toList());
            store.setToldAt(tx, resource.id(), part, at);
        }
        var now = newest && listed.isPresent() ? listed.get() : before;
        var change = telling.change();
        var come = change.map(Change::come).orElseGet(() -> telling.first() ? listed.orElse(List.of()) : List.of());
        var news = News.of(resource, telling.asks(), author, at);
        if (newest) {
            teller.tell(tx, news, come);
        } else {
            teller.tell(
                    tx,
                    news,
                    come.stream().filter(person -> Persons.has(now, person)).toList());
            teller.tell(tx, news.asMoot(), Persons.minus(come, now));
        }
        if (newest && listed.isPresent()) {
            var gone = Persons.minus(before, listed.get());
            teller.withdraw(tx, resource, telling.asks(), gone, at);
            // Those whose coming was not told, or not yet: they came after what was told before.
            var unannounced = Persons.minus(Persons.minus(listed.get(), before), come);
            var then = toldAt.orElse(telling.since());
            var late = News.of(resource, telling.asks(), Author.NOBODY, earlier(then, at));
            boolean open = Mirror.state(event.attributes()).equals("opened");
            teller.tell(tx, open ? late : late.asMoot(), unannounced);
        }
        change.ifPresent(told -> teller.withdraw(tx, resource, telling.asks(), told.gone(), at));
        return come;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
