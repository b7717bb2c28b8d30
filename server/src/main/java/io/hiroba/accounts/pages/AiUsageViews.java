package io.hiroba.accounts.pages;

import io.hiroba.accounts.AiUsage;
import io.hiroba.accounts.AiUsage.DayBar;
import io.hiroba.accounts.AiUsage.DayOfModel;
import io.hiroba.accounts.AiUsage.ModelRow;
import io.hiroba.accounts.AiUsage.UsageView;
import io.hiroba.platform.i18n.Reader;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the views of what models were asked in the last 30 days: a row for each model, and a bar for each day. */
record AiUsageViews(AiUsage usage, InstantSource clock, Readers readers) {

    private static final int DAYS = 30;

    /** The height of the chart, in units of its own. */
    private static final int HEIGHT = 60;

    UsageView view(Context ctx) {
        var today = clock.instant().atZone(ZoneOffset.UTC).toLocalDate();
        var from = today.minusDays(DAYS - 1L);
        var days = usage.since(from);
        var reader = readers.reader(ctx);
        return days.isEmpty()
                ? new UsageView(List.of(), List.of())
                : new UsageView(rows(days, reader), bars(days, from, reader));
    }

    private List<ModelRow> rows(List<DayOfModel> days, Reader reader) {
        Map<String, DayOfModel> sums = new LinkedHashMap<>();
        for (var day : days) {
            sums.merge(
                    day.use() + "/" + day.model(),
                    day,
                    (one, other) -> new DayOfModel(
                            one.day(),
                            one.use(),
                            one.model(),
                            one.calls() + other.calls(),
                            one.tokensIn() + other.tokensIn(),
                            one.tokensOut() + other.tokensOut()));
        }
        return sums.values().stream().map(sum -> row(sum, reader)).toList();
    }

    private ModelRow row(DayOfModel sum, Reader reader) {
        double cost = usage.cost(sum);
        return new ModelRow(
                sum.model(),
                reader.text("accounts.usage-" + sum.use()),
                reader.number(sum.calls()),
                tokens(sum.tokensIn(), reader),
                tokens(sum.tokensOut(), reader),
                cost == 0 ? "–" : String.format(Locale.ROOT, "%.2f", cost));
    }

    private static String tokens(long count, Reader reader) {
        return count == 0 ? "–" : reader.number(count);
    }

    private static List<DayBar> bars(List<DayOfModel> days, LocalDate from, Reader reader) {
        var tokens = new long[DAYS];
        var calls = new long[DAYS];
        for (var day : days) {
            int index = (int) from.until(day.day(), ChronoUnit.DAYS);
            if (index >= 0 && index < DAYS) {
                tokens[index] += day.tokensIn() + day.tokensOut();
                calls[index] += day.calls();
            }
        }
        // Where no service reports tokens, as a model inside the program, the calls are shown.
        var shown = Arrays.stream(tokens).anyMatch(count -> count > 0) ? tokens : calls;
        long most = Math.max(1, Arrays.stream(shown).max().orElse(1));
        var bars = new ArrayList<DayBar>();
        for (int i = 0; i < DAYS; i++) {
            int height = shown[i] == 0 ? 0 : (int) Math.max(1, shown[i] * HEIGHT / most);
            var title = reader.text(
                    "accounts.usage-day", "date", from.plusDays(i).toString(), "calls", calls[i], "tokens", tokens[i]);
            bars.add(new DayBar(i * 10, HEIGHT - height, height, title));
        }
        return bars;
    }
}
