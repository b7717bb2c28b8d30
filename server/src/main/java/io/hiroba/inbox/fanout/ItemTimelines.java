package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.ItemTimeline.Episode;
import io.hiroba.inbox.fanout.ItemTimeline.Fact;
import io.hiroba.inbox.fanout.ItemTimeline.Kind;
import io.hiroba.inbox.fanout.ItemTimeline.Request;
import io.hiroba.inbox.fanout.ItemTimelineStore.OwnedFact;
import io.hiroba.inbox.fanout.ItemTimelineStore.StoredItem;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brings the items about a resource to where they would be had all that happened arrived in the order of its times (ADR 41).
 * What their owners have done to them stays: only what a change makes different is changed. The resource is locked.
 */
final class ItemTimelines {

    /** All times that a source may give are after it. */
    private static final Instant BEGINNING = Instant.parse("0001-01-01T00:00:00Z");

    private final IdGenerator ids;
    private final InstantSource clock;
    private final Namespaces namespaces;
    private final ItemListener listener;
    private final ItemTimelineStore store = new ItemTimelineStore();
    private final ItemFanoutStore items = new ItemFanoutStore();

    ItemTimelines(IdGenerator ids, InstantSource clock, Namespaces namespaces, ItemListener listener) {
        this.ids = ids;
        this.clock = clock;
        this.namespaces = namespaces;
        this.listener = listener;
    }

    /**
     * A change of the requests to a user for an action.
     *
     * @param removed the time of a request that turns out not to have been made
     */
    record Edit(
            UserId user,
            Action action,
            @Nullable Instant removed,
            @Nullable NotificationRequest added) {}

    /** Finds those of the users for whom something is known that happened after the request. */
    Set<UserId> late(Tx tx, NotificationRequest request, Collection<UserId> users) {
        if (request.action().isRepeatable() || users.isEmpty()) {
            return Set.of();
        }
        var late = new HashSet<>(store.askedAfter(tx, request, users));
        for (var fact : store.facts(tx, request.resource(), Set.of(request.action()), users, request.at())) {
            if (fact.user() == null) {
                return Set.copyOf(users);
            }
            late.add(fact.user());
        }
        return late;
    }

    /** Finds the actions for which something that happened to a user at a time cannot simply be applied now. */
    Set<Action> actionsToReplay(Tx tx, Resource resource, UserId user, Instant at) {
        var actions = new HashSet<>(store.spanning(tx, resource, user, at));
        var reopened = store.facts(tx, resource, Set.of(), Set.of(), at);
        if (!reopened.isEmpty()) {
            store.lock(tx, resource, Set.of(Action.values()), Set.of(user)).stream()
                    .map(StoredItem::action)
                    .filter(action -> !action.isRepeatable())
                    .forEach(actions::add);
        }
        return actions;
    }

    /** Applies changes of requests; returns the items that they have created. */
    List<CreatedNotification> edit(Tx tx, Resource resource, List<Edit> edits) {
        var actions = new HashSet<Action>();
        var users = new HashSet<UserId>();
        edits.forEach(edit -> {
            actions.add(edit.action());
            users.add(edit.user());
        });
        return edits.isEmpty() ? List.of() : replay(tx, resource, actions, users, edits, () -> {});
    }

    /**
     * Applies what a change of the stored facts makes different.
     *
     * @param users whose items it may affect; null for everybody
     */
    void replay(Tx tx, Resource resource, Set<Action> actions, @Nullable Collection<UserId> users, Runnable change) {
        replay(tx, resource, actions, users, List.of(), change);
    }

    /** The user and action of a timeline; each item of a repeatable action has one of its own. */
    private record Key(UserId user, Action action, long item) {

        static Key of(StoredItem item) {
            return new Key(
                    item.user(),
                    item.action(),
                    item.action().isRepeatable() ? item.id().value() : 0);
        }
    }

    private List<CreatedNotification> replay(
            Tx tx,
            Resource resource,
            Set<Action> actions,
            @Nullable Collection<UserId> users,
            List<Edit> edits,
            Runnable change) {
        boolean isAboutNobody = actions.isEmpty() || (users != null && users.isEmpty());
        var stored = new LinkedHashMap<Key, List<StoredItem>>();
        for (var item : isAboutNobody ? List.<StoredItem>of() : store.lock(tx, resource, actions, users)) {
            stored.computeIfAbsent(Key.of(item), _ -> new ArrayList<>()).add(item);
        }
        for (var edit : edits) {
            stored.computeIfAbsent(new Key(edit.user(), edit.action(), 0), _ -> new ArrayList<>());
        }
        if (stored.isEmpty()) {
            change.run();
            return List.of();
        }
        var owners = new LinkedHashSet<UserId>();
        stored.keySet().forEach(key -> owners.add(key.user()));
        var before = store.facts(tx, resource, actions, owners, BEGINNING);
        change.run();
        var after = edits.isEmpty() ? store.facts(tx, resource, actions, owners, BEGINNING) : before;
        var created = new ArrayList<CreatedNotification>();
        var changed = new TreeSet<>(Comparator.comparingLong(UserId::value));
        stored.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> entry.getKey().user().value()))
                .forEach(entry -> {
                    var key = entry.getKey();
                    var own = edits.stream()
                            .filter(edit -> edit.user().equals(key.user()) && edit.action() == key.action())
                            .toList();
                    var timeline = new Reconciliation(tx, resource, key, entry.getValue(), own);
                    if (timeline.apply(about(before, key), about(after, key), created)) {
                        changed.add(key.user());
                    }
                });
        if (!changed.isEmpty()) {
            listener.changed(tx, changed);
        }
        return created;
    }

    private static List<Fact> about(List<OwnedFact> facts, Key key) {
        return facts.stream()
                .filter(fact -> fact.isAbout(key.user(), key.action()))
                .map(OwnedFact::fact)
                .toList();
    }

    /** Changes the items of one timeline. */
    private final class Reconciliation {

        private final Tx tx;
        private final Resource resource;
        private final Key key;
        private final List<StoredItem> stored;
        private final Set<Instant> removed = new HashSet<>();
        private final TreeSet<Request> added = new TreeSet<>();
        private final Instant now = clock.instant();
        private boolean changed;

        Reconciliation(Tx tx, Resource resource, Key key, List<StoredItem> stored, List<Edit> edits) {
            this.tx = tx;
            this.resource = resource;
            this.key = key;
            this.stored = stored;
            for (var edit : edits) {
                Optional.ofNullable(edit.removed()).ifPresent(removed::add);
                Optional.ofNullable(edit.added())
                        .ifPresent(request -> added.add(new Request(request.at(), request.author())));
            }
        }

        boolean apply(List<Fact> factsBefore, List<Fact> factsAfter, List<CreatedNotification> created) {
            var requests = new TreeSet<Request>();
            stored.forEach(item -> requests.addAll(item.requests()));
            stored.sort(Comparator.comparing(item -> item.requests().last()));
            var unexplained = stored.stream()
                    .filter(item -> item.isDone() && !item.dismissed() && !isExplained(item, factsBefore))
                    .map(item -> new Fact(item.requests().last().at(), Kind.WITHDRAWN))
                    .toList();
            var before = ItemTimeline.replay(requests, complete(factsBefore, unexplained, false));
            var absent = new ArrayList<>(before);
            absent.removeAll(match(before).keySet());
            requests.removeIf(request -> removed.contains(request.at()));
            requests.addAll(added);
            var after = ItemTimeline.replay(requests, complete(factsAfter, unexplained, true));
            var matches = match(after);
            var kept = new HashSet<>(matches.values());
            stored.stream().filter(item -> !kept.contains(item)).forEach(item -> remove(item, matches));
            // First what is done: an item to do may take its place.
            boolean ends =
                    factsAfter.stream().anyMatch(fact -> fact.kind() == Kind.ENDED && !factsBefore.contains(fact));
            matches.forEach((episode, item) -> {
                // Whoever wants it back at the end gets it back, by the event that wakes it.
                if (!(ends && item.awaitsEnd())) {
                    update(episode, item, before, true);
                }
            });
            matches.forEach((episode, item) -> update(episode, item, before, false));
            after.stream()
                    .filter(episode -> !matches.containsKey(episode))
                    .filter(episode ->
                            absent.stream().noneMatch(old -> old.requests().equals(episode.requests())))
                    .forEach(episode -> created.addAll(insert(episode)));
            return changed;
        }

        /** Whether a fact says why an item is done: it may have been withdrawn without one, or before all were kept. */
        private boolean isExplained(StoredItem item, List<Fact> facts) {
            var last = item.requests().last().at();
            var next = stored.stream()
                    .map(other -> other.requests().first().at())
                    .filter(last::isBefore)
                    .min(Comparator.naturalOrder());
            return facts.stream()
                    .filter(fact -> fact.kind() != Kind.REOPENED && !fact.at().isBefore(last))
                    .anyMatch(fact -> next.filter(at -> !fact.at().isBefore(at)).isEmpty());
        }

        /** Adds that what its owner has marked as done is done, with all that it stands for. */
        private List<Fact> complete(List<Fact> facts, List<Fact> unexplained, boolean edited) {
            var all = new ArrayList<>(facts);
            all.addAll(unexplained);
            for (var item : stored) {
                if (!item.dismissed()) {
                    continue;
                }
                boolean replaced = edited
                        && !added.isEmpty()
                        && item.requests().stream().allMatch(request -> removed.contains(request.at()));
                all.add(new Fact(
                        replaced ? added.last().at() : item.requests().last().at(), Kind.WITHDRAWN));
            }
            return all;
        }

        /** Finds the item of each episode: the one with its last request, else the newest that shares one with it. */
        private Map<Episode, StoredItem> match(List<Episode> episodes) {
            var free = new ArrayList<>(stored);
            var matches = new HashMap<Episode, StoredItem>();
            for (var episode : episodes.reversed()) {
                free.reversed().stream()
                        .filter(item -> item.requests().contains(episode.last()))
                        .findFirst()
                        .or(() -> free.reversed().stream()
                                .filter(item -> item.standsFor(episode.requests()))
                                .findFirst())
                        .ifPresent(item -> matches.put(episode, item));
                free.removeAll(matches.values());
            }
            // A request that replaces another takes over its item.
            free.removeIf(item -> item.requests().stream().anyMatch(request -> !removed.contains(request.at())));
            for (var episode : episodes.reversed()) {
                if (!free.isEmpty() && !matches.containsKey(episode)) {
                    matches.put(episode, free.removeLast());
                }
            }
            return matches;
        }

        /** A saved item hands that on to the one that stands for its requests now, or stays. */
        private void remove(StoredItem item, Map<Episode, StoredItem> matches) {
            var heir = matches.entrySet().stream()
                    .filter(match -> item.standsFor(match.getKey().requests()))
                    .map(Map.Entry::getValue)
                    .findFirst();
            if (item.saved() && heir.isEmpty()) {
                return;
            }
            if (item.saved()) {
                heir.ifPresent(other -> store.save(tx, other));
            }
            store.delete(tx, item);
            changed = true;
        }

        private void update(Episode episode, StoredItem item, List<Episode> before, boolean done) {
            if (episode.isDone() != done) {
                return;
            }
            boolean wasDone = before.stream()
                    .filter(old -> old.requests().contains(item.requests().last()))
                    .anyMatch(Episode::isDone);
            if (done && !wasDone && !item.isDone()) {
                store.resolve(tx, item, now);
                changed = true;
            } else if (!done && wasDone && item.isDone() && !item.dismissed()) {
                store.restore(tx, item, now);
                changed = true;
            }
            if (!episode.requests().equals(item.requests())
                    || !episode.last().author().equals(item.requests().last().author())) {
                store.setRequests(tx, item.user(), item.id(), episode.requests());
            }
        }

        private List<CreatedNotification> insert(Episode episode) {
            var last = episode.last();
            var request = NotificationRequest.of(resource, key.action(), last.author(), last.at());
            var decided = episode.isDone() ? request.asResolved() : request;
            var lineage = namespaces.lineage(tx, resource.namespace());
            var created = items.insert(tx, decided, true, List.of(key.user()), ids, lineage, now);
            for (var item : created) {
                changed = true;
                if (episode.requests().size() > 1) {
                    store.setRequests(tx, item.user(), item.id(), episode.requests());
                }
            }
            if (!created.isEmpty()) {
                listener.created(tx, decided, created);
            }
            return created;
        }
    }
}
