package io.hiroba.inbox.own;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.own.KnownRecords.KnownRecord;
import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who is to see to records. */
final class Assignments {

    private final Ours ours;
    private final Resources resources;
    private final People people;
    private final Users users;
    private final OwnStore store = new OwnStore();

    Assignments(Ours ours, Resources resources, People people, Users users) {
        this.ours = ours;
        this.resources = resources;
        this.people = people;
        this.users = users;
    }

    /** Whom the record names, if they may see it. */
    Optional<UserId> named(Reads reads, KnownRecord record) {
        return record.assignee().flatMap(text -> user(reads, text.strip())).filter(record::isSeenBy);
    }

    /** By id, by e-mail address, or as {@code @nickname} if nobody else has the same. */
    private Optional<UserId> user(Reads reads, String text) {
        if (Ids.isId(text)) {
            return store.present(reads, List.of(UserId.parse(text))).stream().findFirst();
        }
        if (text.startsWith("@")) {
            var named = store.named(reads, text.substring(1));
            return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
        }
        try {
            return users.findByEmail(reads, Email.parse(text));
        } catch (Problem e) {
            return Optional.empty();
        }
    }

    /** Has {@code assignee} alone see to the record from now on. */
    void assign(Tx tx, Resource record, Optional<UserId> assignee, Author by, Instant at) {
        var before = resources.players(tx, record.id(), Part.ASSIGNEE);
        var now = assignee.map(user -> people.here(tx, user)).stream().toList();
        var left = before.stream().filter(person -> !isAmong(person, now)).toList();
        var come = now.stream().filter(person -> !isAmong(person, before)).toList();
        if (left.isEmpty() && come.isEmpty()) {
            return;
        }
        resources.cast(
                tx, record.id(), Part.ASSIGNEE, now.stream().map(Person::id).toList());
        ours.withdraw(tx, record, Action.ASSIGNED, left, at);
        ours.tell(
                tx,
                record,
                Action.ASSIGNED,
                by,
                come.stream().flatMap(person -> person.account().stream()).toList(),
                at);
    }

    private static boolean isAmong(Person person, List<Person> people) {
        return people.stream().anyMatch(one -> one.id().equals(person.id()));
    }
}
