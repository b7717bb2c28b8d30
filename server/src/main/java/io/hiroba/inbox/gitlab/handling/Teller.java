package io.hiroba.inbox.gitlab.handling;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Tells people what events ask of them, each time once: the same event may be told by two hooks of one GitLab. */
final class Teller {

    private final Notifier notifier;
    private final Resolver resolver;
    private final TellerStore store = new TellerStore();

    Teller(Notifier notifier, Resolver resolver) {
        this.notifier = notifier;
        this.resolver = resolver;
    }

    static Author author(Optional<Person> person) {
        return person.map(Author::of).orElse(Author.NOBODY);
    }

    void tell(Tx tx, News news, Collection<Person> people) {
        var fresh = store.untold(tx, news, Persons.distinct(people));
        if (!news.moot()) {
            notifier.tell(tx, news, fresh);
            return;
        }
        // Some want to keep what is moot.
        var keepers = store.keepers(tx, fresh);
        notifier.tell(tx, news, Persons.minus(fresh, keepers));
        notifier.tell(tx, News.of(news.resource(), news.action(), news.author(), news.at()), keepers);
    }

    void tellUsers(Tx tx, News news, Collection<UserId> users) {
        notifier.tellUsers(tx, news, store.untoldUsers(tx, news, users));
    }

    void mention(Tx tx, Persons persons, Event event, Resource resource, Mentions mentions, Author author, Instant at) {
        tell(tx, News.of(resource, Action.DIRECTLY_ADDRESSED, author, at), persons.named(event, mentions.addressed()));
        tell(tx, News.of(resource, Action.MENTIONED, author, at), persons.named(event, mentions.mentioned()));
    }

    /**
     * Somebody has done something.
     *
     * @param given whom the very same event asks something of: what it asks is not answered by it
     */
    void acted(Tx tx, Resource resource, Person actor, Instant at, Collection<Person> given) {
        resolver.acted(tx, resource, actor, Persons.has(given, actor) ? at.minus(1, ChronoUnit.MICROS) : at);
    }

    void moot(Tx tx, Resource resource, Moot moot, Instant until) {
        resolver.moot(tx, resource, moot.actions(), until);
    }

    /** As {@link #moot}, for what was asked of these. */
    void mootFor(Tx tx, Resource resource, Action action, List<Person> people, Instant until) {
        resolver.withdraw(tx, resource, action, Persons.minus(people, store.keepers(tx, people)), until);
    }

    void withdraw(Tx tx, Resource resource, Action action, Collection<Person> people, Instant until) {
        resolver.withdraw(tx, resource, action, people, until);
    }

    void settle(Tx tx, Resource resource, Action action, Person author, Instant until) {
        resolver.settle(tx, resource, action, author, until);
    }

    void stir(Tx tx, Resource resource, Stir stir) {
        resolver.stir(tx, resource, stir);
    }
}
