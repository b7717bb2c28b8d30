package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
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
    private static final int MAX_DESCRIPTION = 1000;

    public AiModel {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._:@-]{0,49}")) {
            throw AccountsProblem.invalid("name", Text.of("accounts.field.model-name"));
        }
        requireCost("inputCost", inputCost);
        requireCost("outputCost", outputCost);
        if (description.codePointCount(0, description.length()) > MAX_DESCRIPTION) {
            throw AccountsProblem.invalid("description", Text.of("accounts.field.too-long", "max", MAX_DESCRIPTION));
        }
    }

    private static void requireCost(String field, BigDecimal cost) {
        // The exponent is checked first: arithmetic on 1e999999999 would not end.
        boolean sensible = cost.precision() <= 20 && cost.scale() <= MAX_DECIMALS && cost.scale() >= -7;
        if (!sensible || cost.signum() < 0 || cost.compareTo(MAX_COST) >= 0) {
            throw AccountsProblem.invalid(field, Text.of("accounts.field.cost"));
        }
    }
}
