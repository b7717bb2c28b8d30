package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredOutcomeTest {

    @Test
    void anOutcomeIsReadInEveryLanguage() {
        var outcome = parse(Text.of("inbox.outcome.issue", "id", "1234", "action", "open"));
        assertThat(outcome).hasToString("Issue 1234: open");
        assertThat(outcome.in(Language.JAPANESE)).isEqualTo("イシュー 1234：open");
        assertThat(outcome.in(Language.CHINESE)).isEqualTo("议题 1234：open");
        assertThat(parse(Text.of("inbox.outcome.push", "count", 1)))
                .hasToString("Push with 1 commit that mentions people");
    }

    @Test
    void whatIsTooLongIsCut() {
        var stored = StoredOutcome.of(Text.of("inbox.outcome.comment", "id", "x".repeat(1000)));
        assertThat(stored).hasSize(500).startsWith("Comment xxx");
        assertThat(StoredText.read(stored)).hasToString(stored);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Events of this kind are not handled.",
                "{broken",
                "{\"key\":\"inbox.outcome.from-the-future\",\"arguments\":{}}"
            })
    void wordsAndWhatIsUnknownStayAsTheyAre(String stored) {
        assertThat(StoredText.read(stored)).hasToString(stored);
    }

    private static Text parse(Text outcome) {
        return StoredText.read(StoredOutcome.of(outcome));
    }
}
