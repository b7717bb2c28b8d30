package io.hiroba.activity.collect;

import static java.util.stream.Collectors.toSet;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.collect.CardActStore.Counted;
import io.hiroba.activity.collect.CardActStore.Named;
import io.hiroba.activity.collect.Change.Done;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import java.time.ZoneId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes cards of events: reads the cards that a batch is about, changes them in memory in the order of the events, and
 * writes each of them once.
 */
public final class Collector implements EventHandler {

    public static final String CONSUMER = "cards";

    private final ZoneId zone;
    private final FollowedPosts followed;
    private final Consumer<Set<UserId>> changed;
    private final CardStore cards = new CardStore();
    private final CardActStore acts = new CardActStore();

    /**
     * @param zone of those who have not said where they live
     * @param changed is told whose cards have changed, once that is there for others to see
     */
    public Collector(ZoneId zone, EventLog log, Consumer<Set<UserId>> changed) {
        this.zone = zone;
        this.followed = new FollowedPosts(log);
        this.changed = changed;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        followed.passOn(tx, batch);
        var changes = batch.stream()
                .flatMap(event -> EventReader.read(event).stream())
                .toList();
        if (changes.isEmpty()) {
            return;
        }
        var wishes = Wishes.of(tx, changes.stream().map(Change::reader).collect(toSet()), zone);
        var done = changes.stream()
                .filter(Done.class::isInstance)
                .map(Done.class::cast)
                .toList();
        var drafts = new Drafts(wishes, wishes.wanted(tx, done));
        drafts.load(tx, changes, cards, acts);
        changes.forEach(drafts::apply);
        write(tx, drafts.all().stream().filter(CardDraft::isChanged).toList());
    }

    private void write(Tx tx, List<CardDraft> drafts) {
        cards.delete(tx, keys(drafts, CardDraft::dropsRow));
        var left = drafts.stream().filter(draft -> !draft.isEmpty()).toList();
        // Before the cards: where retention has deleted one in the meantime this fails, and the batch comes again.
        acts.delete(tx, removals(left));
        acts.insert(tx, counted(left, CardDraft::tableAdditions));
        var refills = acts.newest(tx, keys(left, CardDraft::wantsRefill));
        acts.deleteAll(tx, keys(left, CardDraft::leavesTable));
        var news = left.stream().filter(CardDraft::isNews).toList();
        cards.bringUp(tx, payloads(news, refills));
        cards.diminish(
                tx, payloads(left.stream().filter(draft -> !draft.isNews()).toList(), refills));
        acts.insert(tx, counted(left, CardDraft::overflow));
        tell(tx, drafts);
    }

    private void tell(Tx tx, List<CardDraft> drafts) {
        var readers =
                drafts.stream().map(draft -> new UserId(draft.key().reader())).collect(toSet());
        if (!readers.isEmpty()) {
            tx.afterCommit(() -> changed.accept(readers));
        }
    }

    private static List<CardKey> keys(List<CardDraft> drafts, Predicate<CardDraft> which) {
        return drafts.stream().filter(which).map(CardDraft::key).toList();
    }

    private static Map<CardKey, Payload> payloads(List<CardDraft> drafts, Map<CardKey, List<Act>> refills) {
        var payloads = new LinkedHashMap<CardKey, Payload>();
        drafts.forEach(draft -> payloads.put(draft.key(), draft.payload(refills.getOrDefault(draft.key(), List.of()))));
        return payloads;
    }

    private static List<Counted> counted(List<CardDraft> drafts, Function<CardDraft, Collection<Act>> which) {
        return drafts.stream()
                .flatMap(draft -> which.apply(draft).stream().map(act -> new Counted(draft.key(), act)))
                .toList();
    }

    private static List<Named> removals(List<CardDraft> drafts) {
        return drafts.stream()
                .flatMap(draft -> draft.tableRemovals().stream().map(act -> new Named(draft.key(), act)))
                .toList();
    }
}
