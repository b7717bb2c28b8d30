package io.hiroba.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import org.junit.jupiter.api.Test;

class BadgeTest {

    @Test
    void aNumberIsShownAsFarAsThereIsRoom() {
        assertThat(Badge.unread(0).text()).isEmpty();
        assertThat(Badge.unread(99).text()).isEqualTo("99");
        assertThat(Badge.unread(100).text()).isEqualTo("99+");
    }

    @Test
    void whoDoesNotSeeItHearsIt() {
        assertThat(Badge.unread(0).label(Text.verbatim("Notifications")).toString())
                .isEqualTo("Notifications");
        assertThat(Badge.unread(3).label(Text.verbatim("Notifications")).toString())
                .isEqualTo("Notifications 3 unread");
        assertThat(Badge.unread(100).label(Text.verbatim("Notifications")).toString())
                .isEqualTo("Notifications 99+ unread");
    }
}
