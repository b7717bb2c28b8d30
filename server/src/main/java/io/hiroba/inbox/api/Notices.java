package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.Made;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.resources.People;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What other programs say that resources want from people, and what people have done about them. */
public final class Notices {

    private final Db db;
    private final Operators operators;
    private final Lookup lookup;
    private final People people;
    private final Notifier notifier;
    private final Resolver resolver;
    private final ConcernedStore concerned = new ConcernedStore();

    public Notices(Db db, Operators operators, Lookup lookup, People people, Notifier notifier, Resolver resolver) {
        this.db = db;
        this.operators = operators;
        this.lookup = lookup;
        this.people = people;
        this.notifier = notifier;
        this.resolver = resolver;
    }

    void requireOperator(Caller caller) {
        operators.require(caller);
    }

    /** A resource as it is named by others. */
    record Named(ResourceType type, String resource) {}

    /**
     * What became of a notice.
     *
     * @param duplicates those who have such an item that is not done
     * @param off those who want no such items, or told of it themselves
     */
    record Outcome(List<Made> made, List<UserId> duplicates, List<UserId> off) {}

    Outcome tell(Tx tx, Named named, Action action, List<String> users, @Nullable String author, Instant at) {
        var resource = lookup.resource(tx, named.type(), named.resource());
        var told = lookup.users(tx, users);
        var by = author == null ? Author.NOBODY : Author.of(lookup.user(tx, author));
        var news = News.of(resource, action, by, at);
        var made = notifier.tellUsers(tx, news, told);
        var got = made.stream().map(Made::user).collect(Collectors.toUnmodifiableSet());
        var rest = told.stream().filter(user -> !got.contains(user)).toList();
        Set<UserId> having = new HashSet<>(concerned.having(tx, resource, action, rest));
        return new Outcome(
                made,
                rest.stream().filter(having::contains).toList(),
                rest.stream().filter(user -> !having.contains(user)).toList());
    }

    /** Somebody has done something about the resource: what it asked of them until then is done. */
    void acted(Caller caller, Named named, String user, Instant at) {
        operators.require(caller);
        db.useTransaction(tx -> {
            var resource = lookup.resource(tx, named.type(), named.resource());
            resolver.acted(tx, resource, people.here(tx, lookup.user(tx, user)), at);
        });
    }

    /** Something has happened to the resource. */
    void stirred(Caller caller, Named named, Stir stir) {
        operators.require(caller);
        db.useTransaction(tx -> resolver.stir(tx, lookup.resource(tx, named.type(), named.resource()), stir));
    }
}
