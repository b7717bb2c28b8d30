package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.AgentStatistics.AgentFigures;
import io.hiroba.agents.AgentStatistics.Range;
import io.hiroba.agents.AgentStatistics.RunStatistics;
import io.hiroba.agents.AgentStatistics.SpanCounts;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The page of runs, costs, latencies, failures and thumbs: of all agents for admins, of their own for others. */
public final class AgentStatisticsPages implements Routes {

    static final String PATH = AgentPages.PATH + "/statistics";

    private static final int BAR_WIDTH = 10;
    private static final int CHART_HEIGHT = 60;

    private final Shell shell;
    private final Readers readers;
    private final AgentStatistics statistics;

    AgentStatisticsPages(Shell shell, Readers readers, AgentStatistics statistics) {
        this.shell = shell;
        this.readers = readers;
        this.statistics = statistics;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var found = statistics.of(caller, Range.parse(ctx.queryParam("range")));
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("agents.statistics"),
                "agents/statistics",
                Map.of("view", StatisticsPage.of(found, reader), "isAdmin", caller.admin()));
    }

    /**
     * The view of statistics.
     *
     * @param rows all agents together first, if there are any
     * @param width of the pictures
     */
    public record StatisticsPage(
            List<RangeLink> ranges,
            boolean limited,
            List<FiguresRow> rows,
            List<CauseRow> causes,
            List<ChartBar> runs,
            List<ChartBar> costs,
            int width) {

        public StatisticsPage {
            ranges = List.copyOf(ranges);
            rows = List.copyOf(rows);
            causes = List.copyOf(causes);
            runs = List.copyOf(runs);
            costs = List.copyOf(costs);
        }

        static StatisticsPage of(RunStatistics found, Reader reader) {
            var isEmpty = found.all().totals().counts().runs() == 0;
            return new StatisticsPage(
                    Stream.of(Range.values())
                            .map(range -> new RangeLink(
                                    PATH + "?range=" + range.code(),
                                    reader.text("agents.range." + range.code()),
                                    range == found.range()))
                            .toList(),
                    found.limited(),
                    isEmpty
                            ? List.of()
                            : Stream.concat(Stream.of(found.all()), found.agents().stream())
                                    .map(each -> FiguresRow.of(each, reader))
                                    .toList(),
                    found.causes().stream()
                            .map(cause -> new CauseRow(
                                    reader.text("agents.state." + cause.state()),
                                    reader.text("agents.reason." + cause.reason()),
                                    reader.number(cause.runs())))
                            .toList(),
                    isEmpty ? List.of() : runBars(found, reader),
                    isEmpty ? List.of() : costBars(found, reader),
                    found.spans().size() * BAR_WIDTH);
        }

        private static List<ChartBar> runBars(RunStatistics found, Reader reader) {
            long most = Math.max(
                    1, found.spans().stream().mapToLong(SpanCounts::all).max().orElse(1));
            var bars = new ArrayList<ChartBar>();
            for (int i = 0; i < found.spans().size(); i++) {
                var span = found.spans().get(i);
                var title = reader.text(
                        "agents.statistics-runs-at",
                        "time",
                        time(found, i, reader),
                        "answered",
                        span.answered(),
                        "failed",
                        span.failed(),
                        "other",
                        span.other());
                int all = height(span.all(), most);
                int failed = height(span.failed(), most);
                int good = height(span.answered(), most);
                bars.add(new ChartBar("other", i * BAR_WIDTH, CHART_HEIGHT - all, all, title));
                bars.add(new ChartBar(
                        "answered", i * BAR_WIDTH, CHART_HEIGHT - Math.min(all, failed + good), good, title));
                bars.add(new ChartBar("failed", i * BAR_WIDTH, CHART_HEIGHT - failed, failed, title));
            }
            return bars.stream().filter(bar -> bar.height() > 0).toList();
        }

        private static List<ChartBar> costBars(RunStatistics found, Reader reader) {
            var most = found.spans().stream().map(SpanCounts::cost).reduce(BigDecimal.ZERO, BigDecimal::max);
            var bars = new ArrayList<ChartBar>();
            for (int i = 0; i < found.spans().size(); i++) {
                var cost = found.spans().get(i).cost();
                if (cost.signum() > 0) {
                    int height = Math.max(
                            1,
                            cost.multiply(BigDecimal.valueOf(CHART_HEIGHT))
                                    .divide(most, 0, RoundingMode.HALF_UP)
                                    .intValue());
                    var title = reader.text(
                            "agents.statistics-cost-at", "time", time(found, i, reader), "cost", cost(cost, reader));
                    bars.add(new ChartBar("cost", i * BAR_WIDTH, CHART_HEIGHT - height, height, title));
                }
            }
            return bars;
        }

        private static String time(RunStatistics found, int span, Reader reader) {
            return reader.dateTime(
                    found.from().plus(found.range().span().multipliedBy(span)).truncatedTo(ChronoUnit.MINUTES));
        }

        /** What is there is seen. */
        private static int height(long count, long most) {
            return count == 0 ? 0 : Math.max(1, Math.toIntExact(count * CHART_HEIGHT / most));
        }
    }

    private static String cost(BigDecimal cost, Reader reader) {
        return reader.money(cost.setScale(Math.clamp(cost.scale(), 2, 4), RoundingMode.HALF_UP), "USD");
    }

    /** A link to another time. */
    public record RangeLink(String path, String name, boolean isChosen) {}

    /** A rectangle of a picture. */
    public record ChartBar(String kind, int x, int y, int height, String title) {}

    /** The view of why runs ended without an answer. */
    public record CauseRow(String state, String reason, String runs) {}

    /**
     * The view of an agent's figures.
     *
     * @param path empty for all agents together
     */
    public record FiguresRow(
            String path,
            String name,
            String runs,
            String answered,
            String failed,
            String refused,
            String p50,
            String p95,
            String tokens,
            String cost,
            String thumbs) {

        static FiguresRow of(AgentFigures figures, Reader reader) {
            var totals = figures.totals();
            var counts = totals.counts();
            var agent = totals.agent();
            return new FiguresRow(
                    agent == null ? "" : AgentPages.PATH + "/" + agent,
                    agent == null ? reader.text("agents.statistics-all") : figures.name(),
                    reader.number(counts.runs()),
                    reader.number(counts.answered()),
                    reader.number(counts.failed()),
                    reader.number(counts.refused()),
                    seconds(totals.p50(), reader),
                    seconds(totals.p95(), reader),
                    reader.number(totals.tokens()),
                    AgentStatisticsPages.cost(totals.cost(), reader),
                    figures.thumbs().up() + " / " + figures.thumbs().down());
        }

        private static String seconds(@Nullable Double seconds, Reader reader) {
            return seconds == null
                    ? "–"
                    : reader.text("agents.took", "seconds", String.format(Locale.ROOT, "%.1f", seconds));
        }
    }
}
