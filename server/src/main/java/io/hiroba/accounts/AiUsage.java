package io.hiroba.accounts;

import java.time.LocalDate;
import java.util.List;

/** What models of services were asked, and what that costs, for the admin area: a port, since another feature counts it. */
public interface AiUsage {

    /** The use of a server that asks no model. */
    AiUsage NONE = new AiUsage() {
        @Override
        public List<DayOfModel> since(LocalDate day) {
            return List.of();
        }

        @Override
        public double cost(String use, long tokensIn, long tokensOut) {
            return 0;
        }
    };

    /** The use from that day on, in UTC, the latest day first. */
    List<DayOfModel> since(LocalDate day);

    /** The price of so many tokens, where one is configured. */
    double cost(String use, long tokensIn, long tokensOut);

    /**
     * A model on a day.
     *
     * @param use {@code embedding} or {@code chat}
     * @param tokensIn as far as the service reported them
     */
    record DayOfModel(LocalDate day, String use, String model, long calls, long tokensIn, long tokensOut) {}
}
