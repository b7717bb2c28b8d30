package io.hiroba.inbox.events;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.RecordInfo;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Assigns records to the users whom they name. */
final class RecordAssignments {

    private final HirobaResources resources;
    private final ResourceMirror participants;
    private final ExternalPeople people;
    private final Users users;
    private final HirobaResourceStore store = new HirobaResourceStore();

    RecordAssignments(HirobaResources resources, Fanout fanout, Users users) {
        this.resources = resources;
        participants = fanout.resources();
        people = fanout.people();
        this.users = users;
    }

    /** Finds the assignee of a record and the people whom it names, as far as they may see it. */
    Set<UserId> named(Reads reads, RecordInfo record) {
        var named = new LinkedHashSet<UserId>();
        record.assignee().flatMap(text -> user(reads, text.strip())).ifPresent(named::add);
        named.addAll(store.existing(reads, List.copyOf(record.people())));
        named.removeIf(user -> !record.isVisibleTo(user));
        return named;
    }

    /** By id, by e-mail address, or as {@code @nickname} if nobody else has the same. */
    private Optional<UserId> user(Reads reads, String text) {
        if (Ids.isId(text)) {
            return store.existing(reads, List.of(UserId.parse(text))).stream().findFirst();
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

    /** Makes {@code assignees} those of the record; who was none before is notified. */
    void assign(Tx tx, Resource record, Set<UserId> assignees, NotificationAuthor by, Instant at) {
        var before = participants.participants(tx, record.id(), ParticipantRole.ASSIGNEE);
        var now = assignees.stream().map(user -> people.local(tx, user)).toList();
        var removed = before.stream().filter(person -> !person.isAmong(now)).toList();
        var added = now.stream().filter(person -> !person.isAmong(before)).toList();
        if (removed.isEmpty() && added.isEmpty()) {
            return;
        }
        participants.setParticipants(
                tx,
                record.id(),
                ParticipantRole.ASSIGNEE,
                now.stream().map(ExternalPerson::id).toList());
        resources.withdraw(tx, record, Action.ASSIGNED, removed, at);
        resources.notify(
                tx,
                record,
                Action.ASSIGNED,
                by,
                added.stream().flatMap(person -> person.account().stream()).toList(),
                at);
    }
}
