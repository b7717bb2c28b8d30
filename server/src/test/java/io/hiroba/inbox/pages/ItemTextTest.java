package io.hiroba.inbox.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.SnoozePreset;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ItemTextTest {

    private static final UserId ANN = new UserId(1);
    private static final InboxItem.Author HERSELF = new InboxItem.Author(ANN, "Ann", null, null);
    private static final InboxItem.Author BOB = new InboxItem.Author(new UserId(2), "Bob", null, null);

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            ENGLISH;  Bob assigned this task to you;           You assigned this task to yourself;  This task is assigned to you
            JAPANESE; Bobさんがこのタスクをあなたに割り当てました; あなたがこのタスクを自分に割り当てました; このタスクの担当者はあなたです
            CHINESE;  Bob 将此任务指派给了你;                  你将此任务指派给了自己;              此任务已指派给你
            """)
    void aSentenceIsWhole(Language language, String byAnother, String bySelf, String byNobody) {
        assertThat(sentence(Action.ASSIGNED, BOB, language)).isEqualTo(byAnother);
        assertThat(sentence(Action.ASSIGNED, HERSELF, language)).isEqualTo(bySelf);
        assertThat(sentence(Action.ASSIGNED, null, language)).isEqualTo(byNobody);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everythingHasWords(Language language) {
        var reader = new Reader(language, ZoneId.of("Asia/Tokyo"), Instant.EPOCH);
        var snooze = SnoozeForm.of(List.of(), List.of(), reader, "/inbox");
        var texts = Stream.of(
                        Stream.of(Action.values()).map(ItemText::label),
                        Stream.of(ResourceType.values()).map(ItemText::label),
                        Stream.of(ResourceType.values()).map(type -> ItemText.noun(type, null)),
                        Stream.of(SnoozeEvent.values()).map(ItemText::snoozed),
                        Stream.of(Resolution.values()).map(ItemText::resolved),
                        Stream.of(ItemAction.values()).map(action -> action.message(2)),
                        Stream.concat(snooze.times().stream(), snooze.events().stream())
                                .map(SnoozeForm.Choice::label))
                .flatMap(each -> each);
        assertThat(texts.map(text -> text.in(language)))
                .isNotEmpty()
                .allSatisfy(text -> assertThat(text).isNotBlank());
        for (var action : Action.values()) {
            for (var author : new InboxItem.Author[] {BOB, HERSELF, null}) {
                assertThat(sentence(action, author, language)).isNotBlank().doesNotContain("{");
            }
        }
        assertThat(snooze.times()).hasSize(SnoozePreset.values().length);
    }

    @Test
    void namesOfOtherProgramsStayAsTheyAre() {
        assertThat(ItemText.noun(ResourceType.ISSUE, "bug_report").in(Language.JAPANESE))
                .isEqualTo("bug report");
        assertThat(ItemText.state("on_hold").in(Language.CHINESE)).isEqualTo("on hold");
        assertThat(ItemText.state("merged").in(Language.CHINESE)).isEqualTo("已合并");
    }

    private static String sentence(Action action, InboxItem.@Nullable Author author, Language language) {
        var text = ItemText.of(action, author, ANN);
        return Text.of(text.key(), "actor", text.actor(), "noun", ItemText.noun(ResourceType.ISSUE, "task"))
                .in(language);
    }
}
