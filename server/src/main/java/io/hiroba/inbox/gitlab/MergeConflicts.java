package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Notifies author and assignees when their merge request begins to conflict, once each time. Events may arrive in any
 * order; a conflict begins with the earliest of consecutive checks that report it.
 */
final class MergeConflicts {

    private static final Set<String> CONFLICTS = Set.of("conflict", "cannot_be_merged", "broken_status");
    private static final Set<String> UNKNOWN =
            Set.of("unchecked", "checking", "preparing", "cannot_be_merged_rechecking", "");

    private final ExternalPeople people;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final EventStateStore state = new EventStateStore();

    MergeConflicts(Fanout fanout) {
        people = fanout.people();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    /**
     * Returns the people whom this event may notify, if it is the first of its conflict.
     *
     * @param owners its author and assignees at that time
     */
    List<ExternalPerson> update(GitlabEvent event, Resource request, List<ExternalPerson> owners, Instant at) {
        var checked = conflicts(event);
        if (checked.isEmpty()) {
            return List.of();
        }
        var tx = event.tx();
        boolean conflicting = checked.get();
        boolean wasConflicting = state.mergeCheckBefore(tx, request.id(), at)
                .map(EventStateStore.MergeCheck::conflicting)
                .orElse(false);
        var next = state.mergeCheckAfter(tx, request.id(), at).filter(EventStateStore.MergeCheck::conflicting);
        if (!conflicting && wasConflicting) {
            resolver.apply(
                    tx,
                    request,
                    AutoResolveRule.MERGEABLE_AGAIN.actions(),
                    () -> state.saveMergeCheck(tx, request.id(), at, false, owners));
            next.ifPresent(check -> notify(event, request, check.at(), people(event, check)));
        } else {
            state.saveMergeCheck(tx, request.id(), at, conflicting, owners);
        }
        if (!conflicting) {
            return List.of();
        }
        if (!wasConflicting) {
            // A later check was taken for the beginning until now.
            var asked = NotificationRequest.of(request, Action.UNMERGEABLE, NotificationAuthor.NOBODY, at);
            var former = next.map(check -> people(event, check)).orElse(List.of());
            var corrections = new ArrayList<Notifier.Correction>();
            next.ifPresent(check -> former.forEach(person -> corrections.add(
                    new Notifier.Correction(person, check.at(), person.isAmong(owners) ? asked : null))));
            notifier.correct(tx, request, Action.UNMERGEABLE, corrections);
            notifier.notifyOnce(tx, asked, ExternalPerson.minus(owners, former));
        }
        return owners;
    }

    private List<ExternalPerson> people(GitlabEvent event, EventStateStore.MergeCheck check) {
        return check.owners().stream()
                .flatMap(id -> people.find(event.tx(), id).stream())
                .toList();
    }

    private void notify(GitlabEvent event, Resource request, Instant at, List<ExternalPerson> owners) {
        notifier.notifyOnce(
                event.tx(), NotificationRequest.of(request, Action.UNMERGEABLE, NotificationAuthor.NOBODY, at), owners);
    }

    /** Whether it conflicts; empty if that is unknown or it is not open. */
    private static Optional<Boolean> conflicts(GitlabEvent event) {
        var attributes = event.attributes();
        if (!GitlabMirror.state(attributes).equals("opened")) {
            return Optional.empty();
        }
        var detailed = JsonFields.text(attributes, "detailed_merge_status");
        var plain = JsonFields.text(attributes, "merge_status");
        if (CONFLICTS.contains(detailed) || plain.equals("cannot_be_merged")) {
            return Optional.of(true);
        }
        return UNKNOWN.contains(detailed) && !plain.equals("can_be_merged") ? Optional.empty() : Optional.of(false);
    }
}
