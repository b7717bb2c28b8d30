package io.hiroba.activity.collect;

import io.hiroba.activity.collect.CardActStore.Suspect;
import io.hiroba.activity.collect.CardKey.Topic;
import io.hiroba.activity.collect.Change.Done;
import io.hiroba.activity.collect.Change.Gone;
import io.hiroba.activity.collect.Change.Separated;
import io.hiroba.activity.collect.Change.Withdrawn;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cards that a batch is about, while it changes them. */
final class Drafts {

    private final Wishes wishes;
    private final Set<Done> wanted;
    private final Map<Topic, Map<CardKey, CardDraft>> byTopic = new HashMap<>();

    /** {@code wanted} are those of the acts that are to be counted. */
    Drafts(Wishes wishes, Set<Done> wanted) {
        this.wishes = wishes;
        this.wanted = wanted;
    }

    /** Reads the cards that {@code changes} may change. */
    void load(Tx tx, List<Change> changes, CardStore cards, CardActStore acts) {
        var topics = new HashSet<Topic>();
        var pairs = new HashSet<Separated>();
        for (var change : changes) {
            switch (change) {
                case Withdrawn(long reader, var slot, var act) -> topics.add(new Topic(reader, slot));
                case Gone(long reader, var slot) -> topics.add(new Topic(reader, slot));
                case Separated pair -> pairs.add(pair);
                case Done done -> {}
            }
        }
        var keys = new HashSet<CardKey>();
        wanted.forEach(done -> keys.add(wishes.key(done)));
        keys.removeIf(key -> topics.contains(key.topic()));
        cards.load(tx, keys).forEach(this::enter);
        cards.loadAll(tx, topics).forEach(this::enter);
        cards.loadShared(tx, pairs).forEach(this::enter);
        for (var counted : acts.of(tx, suspects(changes))) {
            draft(counted.card()).know(counted.act());
        }
    }

    private void enter(CardDraft draft) {
        byTopic.computeIfAbsent(draft.key().topic(), topic -> new HashMap<>()).putIfAbsent(draft.key(), draft);
    }

    private CardDraft draft(CardKey key) {
        return byTopic.computeIfAbsent(key.topic(), topic -> new HashMap<>())
                .computeIfAbsent(key, missing -> new CardDraft(missing, Payload.EMPTY));
    }

    private Collection<CardDraft> about(Topic topic) {
        return byTopic.getOrDefault(topic, Map.of()).values();
    }

    Collection<CardDraft> all() {
        return byTopic.values().stream()
                .flatMap(cards -> cards.values().stream())
                .toList();
    }

    private Collection<CardDraft> of(long reader) {
        return all().stream().filter(draft -> draft.key().reader() == reader).toList();
    }

    /** Those whom the changes are about, on each card that does not hold all its acts itself. */
    private List<Suspect> suspects(List<Change> changes) {
        var suspects = new HashSet<Suspect>();
        for (var change : changes) {
            switch (change) {
                case Done(long reader, var slot, var act) ->
                    suspect(about(new Topic(reader, slot)), act.actor(), suspects);
                case Withdrawn(long reader, var slot, var act) ->
                    suspect(about(new Topic(reader, slot)), act.actor(), suspects);
                case Separated(long reader, long other) -> suspect(of(reader), other, suspects);
                case Gone gone -> {}
            }
        }
        return List.copyOf(suspects);
    }

    private static void suspect(Collection<CardDraft> drafts, long actor, Set<Suspect> suspects) {
        drafts.stream().filter(CardDraft::isTabled).forEach(draft -> suspects.add(new Suspect(draft.key(), actor)));
    }

    void apply(Change change) {
        switch (change) {
            case Done done -> {
                if (wanted.contains(done)) {
                    draft(wishes.key(done)).add(done.act());
                }
            }
            case Withdrawn(long reader, var slot, var act) ->
                about(new Topic(reader, slot)).forEach(draft -> draft.withdraw(act));
            case Gone(long reader, var slot) -> about(new Topic(reader, slot)).forEach(CardDraft::clear);
            case Separated(long reader, long other) -> of(reader).forEach(draft -> draft.withdrawAllOf(other));
        }
    }
}
