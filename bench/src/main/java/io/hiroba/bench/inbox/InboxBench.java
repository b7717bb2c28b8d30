package io.hiroba.bench.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.LoadClients;
import io.hiroba.inbox.InboxFilter;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemPage.ItemPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The benchmark of the inbox: pages and counts of many items, fan-out to a thousand users, and webhooks. */
public final class InboxBench {

    private static final int CLIENTS = 4;
    private static final int PAGE = 20;
    private static final int WARM_UP = 4;
    private static final Instant LAST = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofHours(3_500));

    private final InboxData data;
    private final PlainInboxTable table;
    private final HirobaInbox ours;
    private final double seconds;

    private InboxBench(BenchDatabase database, double seconds) {
        this.data = new InboxData(database.db());
        this.table = new PlainInboxTable(database.db());
        this.ours = new HirobaInbox(database.db());
        this.seconds = seconds;
    }

    public static void run() {
        run(2);
    }

    static void run(double seconds) {
        try (var database = BenchDatabase.create()) {
            var bench = new InboxBench(database, seconds);
            bench.data.fill();
            bench.warmUp();
            bench.pages();
            bench.counts();
            bench.fanout();
            new WebhookLoad(database).run(seconds);
        }
    }

    /** Lets the JIT compile everything before the measurement. */
    private void warmUp() {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            pages(InboxView.TODO, 9_000);
            plain(0, 9_000);
        }
    }

    private void pages() {
        page("a page of 20 of 10,000 to do", 0, InboxView.TODO, 9_000);
        page("a page of 20 of 200,000 done", 2, InboxView.DONE, 200_000);
    }

    /** @param minutes the range over which pages start, so that each reads other rows */
    private void page(String work, int state, InboxView view, int minutes) {
        new InterleavedBenchmark(work, "pages/s")
                .with("one table, by hand", () -> plain(state, minutes))
                .with("ours", () -> pages(view, minutes))
                .with(
                        "one table with titles in each row",
                        () -> LoadClients.rate(
                                CLIENTS,
                                seconds,
                                n -> require(table.widePage(InboxData.busy(), state, before(n, minutes), PAGE)
                                        .size())))
                .run();
    }

    private double plain(int state, int minutes) {
        return LoadClients.rate(
                CLIENTS,
                seconds,
                n -> require(table.page(InboxData.busy(), state, before(n, minutes), PAGE)
                        .size()));
    }

    private double pages(InboxView view, int minutes) {
        var caller = new Caller(InboxData.busy(), false, new Caller.ByServer(), null);
        var filter = InboxFilter.of(view);
        return LoadClients.rate(
                CLIENTS,
                seconds,
                n -> require(ours.inbox
                        .list(caller, filter, after(n, minutes), PAGE)
                        .items()
                        .size()));
    }

    private static Instant before(long n, int minutes) {
        return LAST.minus(Duration.ofMinutes(n * 37 % (minutes - PAGE)));
    }

    private static Optional<ItemPosition> after(long n, int minutes) {
        return Optional.of(new ItemPosition(before(n, minutes), new ItemId(Long.MAX_VALUE)));
    }

    private static void require(int size) {
        if (size != PAGE) {
            throw new IllegalStateException("a page of " + size);
        }
    }

    private void counts() {
        var caller = new Caller(InboxData.busy(), false, new Caller.ByServer(), null);
        new InterleavedBenchmark("the counts of 210,000 items", "counts/s")
                .with(
                        "one table, counted",
                        () -> LoadClients.rate(CLIENTS, seconds, n -> table.counted(InboxData.busy())))
                .with("ours", () -> LoadClients.rate(CLIENTS, seconds, n -> ours.inbox.counts(caller)))
                .run();
    }

    private void fanout() {
        var people = IntStream.rangeClosed(1, 1_000).mapToObj(InboxData::person).toList();
        new InterleavedBenchmark("one event for 1,000 people", "events/s")
                .inThreeRounds()
                .with("one table, one statement", () -> LoadClients.rate(1, seconds * 2, n -> plain(people)))
                .with("ours", () -> LoadClients.rate(1, seconds * 2, n -> ours.notifyUsers(people)))
                .run();
    }

    private void plain(List<UserId> people) {
        long resource = ours.nextResource();
        table.insert(resource << 20, people, resource);
    }
}
