package io.hiroba.activity;

import static java.util.stream.Collectors.toSet;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.CardActStore.ActKey;
import io.hiroba.activity.CardActStore.Counted;
import io.hiroba.activity.CardChange.ActAdded;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import io.hiroba.social.SocialEvents;
import java.time.ZoneId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Aggregates social events into cards, each act counted once whichever process is killed and when: reads the cards that a
 * batch concerns, changes them in memory in the order of the events, and writes each of them once. The events of a reader
 * are in one partition, which one worker handles at a time, so no lock is needed.
 */
public final class CardAggregator implements EventHandler {

    public static final String CONSUMER = "cards";

    /** A post alone is on nobody's card: its replies and mentions are events of their own. */
    private static final Set<String> AFFECTING = Set.of(
            SocialEvents.FOLLOW,
            SocialEvents.UNFOLLOW,
            SocialEvents.LIKE,
            SocialEvents.UNLIKE,
            SocialEvents.REPLY,
            SocialEvents.UNREPLY,
            SocialEvents.MENTION,
            SocialEvents.UNMENTION,
            SocialEvents.POST_DELETED,
            SocialEvents.BLOCK,
            SocialEvents.USER_DELETED,
            FollowedPostFanout.REPLY,
            FollowedPostFanout.UNREPLY,
            FollowedPostFanout.GONE);

    private final ZoneId serverZone;
    private final FollowedPostFanout fanout;
    private final Consumer<Set<UserId>> changed;
    private final CardStore cards = new CardStore();
    private final CardActStore acts = new CardActStore();

    /**
     * @param serverZone for readers without a time zone
     * @param changed takes the readers whose cards have changed, after the commit
     */
    public CardAggregator(ZoneId serverZone, EventLog log, Consumer<Set<UserId>> changed) {
        this.serverZone = serverZone;
        this.fanout = new FollowedPostFanout(log);
        this.changed = changed;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        fanout.fanOut(tx, batch);
        var changes = batch.stream()
                .flatMap(event -> CardEventParser.parse(event).stream())
                .toList();
        if (changes.isEmpty()) {
            return;
        }
        var recipients = changes.stream().map(CardChange::reader).collect(toSet());
        var preferences = RecipientPreferences.load(tx, recipients, serverZone);
        var drafts = new CardDrafts(preferences, wanted(tx, batch, changes, preferences));
        drafts.load(tx, changes, cards, acts);
        changes.forEach(drafts::apply);
        write(tx, drafts.all().stream().filter(CardDraft::isChanged).toList());
    }

    @Override
    public boolean isAffectedBy(String type) {
        return AFFECTING.contains(type);
    }

    /** The acts that are counted: those that their readers want, and of two of one event only one. */
    private static Set<ActAdded> wanted(
            Tx tx, List<Event> batch, List<CardChange> changes, RecipientPreferences preferences) {
        var alternatives = batch.stream()
                .flatMap(event -> CardEventParser.alternative(event).stream())
                .toList();
        var added = Stream.concat(
                        changes.stream().filter(ActAdded.class::isInstance).map(ActAdded.class::cast),
                        alternatives.stream().map(CardEventParser.Alternative::told))
                .toList();
        var wanted = preferences.wanted(tx, added);
        alternatives.stream()
                .filter(alternative -> wanted.contains(alternative.told()))
                .forEach(alternative -> wanted.remove(alternative.dropped()));
        return wanted;
    }

    private void write(Tx tx, List<CardDraft> drafts) {
        cards.delete(tx, keys(drafts, CardDraft::dropsRow));
        var left = drafts.stream().filter(draft -> !draft.isEmpty()).toList();
        // Before the cards: where retention has deleted one in the meantime this fails, and the batch comes again.
        acts.delete(tx, removals(left));
        acts.insert(tx, counted(left, CardDraft::tableAdditions));
        var refills = acts.newest(tx, keys(left, CardDraft::needsRefill));
        acts.deleteAll(tx, keys(left, CardDraft::leavesTable));
        var updated = left.stream().filter(CardDraft::hasNewActs).toList();
        cards.upsertUnread(tx, payloads(updated, refills));
        cards.updatePayload(
                tx, payloads(left.stream().filter(draft -> !draft.hasNewActs()).toList(), refills));
        acts.insert(tx, counted(left, CardDraft::overflow));
        notifyChanged(tx, drafts);
    }

    private void notifyChanged(Tx tx, List<CardDraft> drafts) {
        var readers =
                drafts.stream().map(draft -> new UserId(draft.key().reader())).collect(toSet());
        if (!readers.isEmpty()) {
            tx.afterCommit(() -> changed.accept(readers));
        }
    }

    private static List<CardKey> keys(List<CardDraft> drafts, Predicate<CardDraft> which) {
        return drafts.stream().filter(which).map(CardDraft::key).toList();
    }

    private static Map<CardKey, CardPayload> payloads(List<CardDraft> drafts, Map<CardKey, List<ActRecord>> refills) {
        var payloads = new LinkedHashMap<CardKey, CardPayload>();
        drafts.forEach(draft -> payloads.put(draft.key(), draft.payload(refills.getOrDefault(draft.key(), List.of()))));
        return payloads;
    }

    private static List<Counted> counted(List<CardDraft> drafts, Function<CardDraft, Collection<ActRecord>> which) {
        return drafts.stream()
                .flatMap(draft -> which.apply(draft).stream().map(act -> new Counted(draft.key(), act)))
                .toList();
    }

    private static List<ActKey> removals(List<CardDraft> drafts) {
        return drafts.stream()
                .flatMap(draft -> draft.tableRemovals().stream().map(act -> new ActKey(draft.key(), act)))
                .toList();
    }
}
