package io.hiroba.activity;

import io.hiroba.activity.CardActStore.ActorOnCard;
import io.hiroba.activity.CardChange.ActAdded;
import io.hiroba.activity.CardChange.ActRemoved;
import io.hiroba.activity.CardChange.SubjectDeleted;
import io.hiroba.activity.CardChange.UserBlocked;
import io.hiroba.activity.CardKey.Topic;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cards that a batch of changes concerns, in memory. */
final class CardDrafts {

    private final RecipientPreferences preferences;
    private final Set<ActAdded> wanted;
    private final Map<Topic, Map<CardKey, CardDraft>> byTopic = new HashMap<>();

    /** @param wanted the acts that are counted */
    CardDrafts(RecipientPreferences preferences, Set<ActAdded> wanted) {
        this.preferences = preferences;
        this.wanted = wanted;
    }

    /** Reads the cards that {@code changes} may change. */
    void load(Tx tx, List<CardChange> changes, CardStore cards, CardActStore acts) {
        var topics = new HashSet<Topic>();
        var pairs = new HashSet<UserBlocked>();
        for (var change : changes) {
            switch (change) {
                case ActRemoved(long reader, var slot, var act) -> topics.add(new Topic(reader, slot));
                case SubjectDeleted(long reader, var slot) -> topics.add(new Topic(reader, slot));
                case UserBlocked pair -> pairs.add(pair);
                case ActAdded added -> {}
            }
        }
        var keys = new HashSet<CardKey>();
        wanted.forEach(added -> keys.add(preferences.key(added)));
        keys.removeIf(key -> topics.contains(key.topic()));
        cards.load(tx, keys).forEach(this::put);
        cards.loadAll(tx, topics).forEach(this::put);
        cards.loadWithActor(tx, pairs).forEach(this::put);
        for (var counted : acts.of(tx, actors(changes))) {
            draft(counted.card()).know(counted.act());
        }
    }

    private void put(CardDraft draft) {
        byTopic.computeIfAbsent(draft.key().topic(), topic -> new HashMap<>()).putIfAbsent(draft.key(), draft);
    }

    private CardDraft draft(CardKey key) {
        return byTopic.computeIfAbsent(key.topic(), topic -> new HashMap<>())
                .computeIfAbsent(key, missing -> new CardDraft(missing, CardPayload.EMPTY));
    }

    private Collection<CardDraft> of(Topic topic) {
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

    /** The actors of the changes, on each card whose acts are in the table. */
    private List<ActorOnCard> actors(List<CardChange> changes) {
        var actors = new HashSet<ActorOnCard>();
        for (var change : changes) {
            switch (change) {
                case ActAdded(long reader, var slot, var act) ->
                    addActor(of(new Topic(reader, slot)), act.actor(), actors);
                case ActRemoved(long reader, var slot, var act) ->
                    addActor(of(new Topic(reader, slot)), act.actor(), actors);
                case UserBlocked(long reader, long other) -> addActor(of(reader), other, actors);
                case SubjectDeleted deleted -> {}
            }
        }
        return List.copyOf(actors);
    }

    private static void addActor(Collection<CardDraft> drafts, long actor, Set<ActorOnCard> actors) {
        drafts.stream().filter(CardDraft::isInTable).forEach(draft -> actors.add(new ActorOnCard(draft.key(), actor)));
    }

    void apply(CardChange change) {
        switch (change) {
            case ActAdded added -> {
                if (wanted.contains(added)) {
                    draft(preferences.key(added)).add(added.act());
                }
            }
            case ActRemoved(long reader, var slot, var act) ->
                of(new Topic(reader, slot)).forEach(draft -> draft.remove(act));
            case SubjectDeleted(long reader, var slot) ->
                of(new Topic(reader, slot)).forEach(CardDraft::clear);
            case UserBlocked(long reader, long other) -> of(reader).forEach(draft -> draft.removeAllOf(other));
        }
    }
}
