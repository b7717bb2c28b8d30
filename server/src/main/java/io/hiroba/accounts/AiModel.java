package io.hiroba.accounts;

import java.math.BigDecimal;

/**
 * An AI model that agents run on, with its prices.
 *
 * @param inputCost US dollars for a million tokens read
 * @param outputCost US dollars for a million tokens written
 */
public record AiModel(String name, BigDecimal inputCost, BigDecimal outputCost, String description) {

    private static final BigDecimal MAX_COST = new BigDecimal("10000000");
    private static final int MAX_DECIMALS = 6;

    public AiModel {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._:@-]{0,49}")) {
            throw AccountsProblem.invalid("name", "must be 1 to 50 letters, digits, dots, dashes, colons and the like");
        }
        requireCost("inputCost", inputCost);
        requireCost("outputCost", outputCost);
        if (description.codePointCount(0, description.length()) > 1000) {
            throw AccountsProblem.invalid("description", "must have at most 1000 characters");
        }
    }

    private static void requireCost(String field, BigDecimal cost) {
        // The exponent is checked first: arithmetic on 1e999999999 would not end.
        boolean sensible = cost.precision() <= 20 && cost.scale() <= MAX_DECIMALS && cost.scale() >= -7;
        if (!sensible || cost.signum() < 0 || cost.compareTo(MAX_COST) >= 0) {
            throw AccountsProblem.invalid(field, "must be from 0 to below 10000000, with at most 6 decimals");
        }
    }
}
