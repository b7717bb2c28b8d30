package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Gives items to people. All of an event's go in one statement, in the order of the users, so that two events for many
 * people never wait for each other in a circle.
 */
public final class Notifier {

    private final IdGenerator ids;
    private final InstantSource clock;
    private final Namespaces namespaces;
    private final Resources resources;
    private final ItemListener listener;
    private final FanoutStore store = new FanoutStore();
    private final LockStore locks = new LockStore();
    private final WaitingStore waiting = new WaitingStore();

    public Notifier(
            IdGenerator ids, InstantSource clock, Namespaces namespaces, Resources resources, ItemListener listener) {
        this.ids = ids;
        this.clock = clock;
        this.namespaces = namespaces;
        this.resources = resources;
        this.listener = listener;
    }

    /** Tells those who have an account; for the others it is kept until they have. */
    public void tell(Tx tx, News news, Collection<Person> people) {
        var concerned = news.action().isNewsToOthersOnly()
                ? people.stream().filter(person -> !news.author().is(person)).toList()
                : people;
        if (concerned.isEmpty() || !locks.lock(tx, news.resource())) {
            return;
        }
        give(
                tx,
                news,
                concerned.stream().flatMap(person -> person.account().stream()).toList());
        concerned.stream()
                .filter(person -> person.user() == null)
                .map(Person::id)
                .sorted(Comparator.comparingLong(PersonId::value))
                .forEach(person -> waiting.insert(tx, ids.next(), person, news, clock.instant()));
    }

    /** Answers what was made: nothing for those who have such an item already, and for those who want none. */
    public List<Made> tellUsers(Tx tx, News news, Collection<UserId> users) {
        return users.isEmpty() || !locks.lock(tx, news.resource()) ? List.of() : give(tx, news, users);
    }

    /** As {@link #tellUsers}, about a resource that is locked. */
    private List<Made> give(Tx tx, News news, Collection<UserId> users) {
        var concerned = users.stream()
                .filter(user ->
                        !news.action().isNewsToOthersOnly() || !news.author().is(user))
                .distinct()
                .sorted(Comparator.comparingLong(UserId::value))
                .toList();
        if (concerned.isEmpty()) {
            return List.of();
        }
        var lineage = namespaces.lineage(tx, news.resource().namespace());
        var made = store.insert(tx, news, concerned, ids(concerned.size()), numbers(lineage), clock.instant());
        if (!made.isEmpty()) {
            listener.made(tx, news, made);
            listener.changed(tx, made.stream().map(Made::user).toList());
        }
        return made;
    }

    /** Somebody for whom things were kept turns out to be this user: they get what still stands. */
    public void arrived(Tx tx, PersonId person, UserId user) {
        locks.lock(tx, waiting.resources(tx, person));
        for (var kept : waiting.take(tx, person)) {
            resources
                    .find(tx, kept.resource())
                    .map(resource -> News.of(resource, kept.action(), kept.author(), kept.at()))
                    .ifPresent(news -> tellUsers(tx, news, List.of(user)));
        }
    }

    private Long[] ids(int count) {
        var fresh = new Long[count];
        for (int i = 0; i < count; i++) {
            fresh[i] = ids.next();
        }
        return fresh;
    }

    private static Long[] numbers(List<NamespaceId> lineage) {
        return lineage.stream().map(NamespaceId::value).toArray(Long[]::new);
    }
}
