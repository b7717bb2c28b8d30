package io.hiroba.accounts;

import java.time.LocalDate;
import java.util.List;

/** The use of AI models and its costs, for the admin area: a port, since another feature counts it. */
public interface AiUsage {

    /** The use of a server that asks no model. */
    AiUsage NONE = new AiUsage() {
        @Override
        public List<DayOfModel> since(LocalDate day) {
            return List.of();
        }

        @Override
        public double cost(DayOfModel use) {
            return 0;
        }
    };

    /** The use from that day on, in UTC, the latest day first. */
    List<DayOfModel> since(LocalDate day);

    /** The price of its tokens, where one is configured. */
    double cost(DayOfModel use);

    /**
     * A model on a day.
     *
     * @param use {@code embedding} or {@code chat}
     * @param tokensIn as far as the service reported them
     */
    record DayOfModel(LocalDate day, String use, String model, long calls, long tokensIn, long tokensOut) {}

    /** The view of some days. */
    record UsageView(List<ModelRow> rows, List<DayBar> bars) {

        public UsageView {
            rows = List.copyOf(rows);
            bars = List.copyOf(bars);
        }
    }

    /** The view of a model. */
    record ModelRow(String model, String use, String calls, String tokensIn, String tokensOut, String cost) {}

    /** The view of a day, from the left; the tallest is as tall as the chart. */
    record DayBar(int x, int y, int height, String title) {}
}
