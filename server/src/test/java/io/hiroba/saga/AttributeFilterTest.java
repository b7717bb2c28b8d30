package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.saga.workflow.SearchAttribute.Type;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttributeFilterTest {

    @ParameterizedTest
    @CsvSource({
        "total>=10,total=1.5",
        "total=1.5,total>=10",
        "total>=10,total>=1",
        "total<=10,total<=1",
        "customer=Ben,customer=Ada",
        "customer=Ada,customer=Ada"
    })
    void aSecondConditionOnAnAttributeIsRefusedUnlessItIsTheOtherEndOfARange(String first, String second) {
        assertThatThrownBy(() -> AttributeFilter.parse(List.of(first, second)))
                .hasMessageContaining("two conditions on `" + first.replaceAll("[<>=].*", "") + "`");
    }

    @ParameterizedTest
    @CsvSource({"total>=1,total<=10", "total <= 10,total >= 1"})
    void bothEndsOfARangeAreOneCondition(String first, String second) {
        assertThat(AttributeFilter.parse(List.of(first, second)))
                .singleElement()
                .satisfies(range -> {
                    assertThat(range.from()).isEqualTo("1");
                    assertThat(range.to()).isEqualTo("10");
                });
    }

    @Test
    void aTextIsAllThatStandsAfterTheSign() {
        assertThat(AttributeFilter.parse(List.of("key= lead ", "none=", "total= 7 ")))
                .extracting(AttributeFilter::equal)
                .satisfiesExactly(
                        lead -> assertThat(lead).containsOnlyKeys(Type.STRING).containsValue(" lead "),
                        none -> assertThat(none).containsOnlyKeys(Type.STRING).containsValue(""),
                        total -> assertThat(total)
                                .containsEntry(Type.STRING, " 7 ")
                                .containsEntry(Type.NUMBER, "7"));
    }
}
