package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells those whose merge request cannot be merged any more, once for each time that this begins. In whichever order
 * events come, it begins with the first of those in a row that say so.
 */
final class MergeChecks {

    private static final Set<String> CONFLICTS = Set.of("conflict", "cannot_be_merged", "broken_status");
    private static final Set<String> UNKNOWN =
            Set.of("unchecked", "checking", "preparing", "cannot_be_merged_rechecking", "");

    private final People people;
    private final Teller teller;
    private final MergeCheckStore store = new MergeCheckStore();

    MergeChecks(People people, Teller teller) {
        this.people = people;
        this.teller = teller;
    }

    /**
     * Answers whom this event itself asks something of.
     *
     * @param concerned whose merge request it was then
     */
    List<Person> take(Event event, Resource request, List<Person> concerned, Instant at) {
        var verdict = verdict(event);
        if (verdict.isEmpty()) {
            return List.of();
        }
        var tx = event.tx();
        boolean conflicting = verdict.get();
        boolean after = store.before(tx, request.id(), at)
                .map(MergeCheckStore.Check::conflicting)
                .orElse(false);
        var next = store.after(tx, request.id(), at).filter(MergeCheckStore.Check::conflicting);
        store.save(tx, request.id(), at, conflicting, concerned);
        if (!conflicting) {
            teller.moot(tx, request, Moot.MERGEABLE_AGAIN, at);
            if (after) {
                next.ifPresent(check -> tell(event, request, check.at(), people(event, check)));
            }
            return List.of();
        }
        if (after) {
            return List.of();
        }
        // What was taken for the beginning until now was not it.
        next.ifPresent(check -> teller.withdraw(tx, request, Action.UNMERGEABLE, people(event, check), check.at()));
        tell(event, request, at, concerned);
        return concerned;
    }

    private List<Person> people(Event event, MergeCheckStore.Check check) {
        return check.concerned().stream()
                .flatMap(id -> people.find(event.tx(), id).stream())
                .toList();
    }

    private void tell(Event event, Resource request, Instant at, List<Person> concerned) {
        teller.tell(event.tx(), News.of(request, Action.UNMERGEABLE, Author.NOBODY, at), concerned);
    }

    /** Whether it conflicts; nothing, if that is not known or, as it is closed, matters to nobody. */
    private static Optional<Boolean> verdict(Event event) {
        var attributes = event.attributes();
        if (!Mirror.state(attributes).equals("opened")) {
            return Optional.empty();
        }
        var detailed = Fields.text(attributes, "detailed_merge_status");
        var plain = Fields.text(attributes, "merge_status");
        if (CONFLICTS.contains(detailed) || plain.equals("cannot_be_merged")) {
            return Optional.of(true);
        }
        return UNKNOWN.contains(detailed) && !plain.equals("can_be_merged") ? Optional.empty() : Optional.of(false);
    }
}
