package io.hiroba.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BadgeTest {

    @Test
    void aNumberIsShownAsFarAsThereIsRoom() {
        assertThat(new Badge(0).text()).isEmpty();
        assertThat(new Badge(99).text()).isEqualTo("99");
        assertThat(new Badge(100).text()).isEqualTo("99+");
    }

    @Test
    void whoDoesNotSeeItHearsIt() {
        assertThat(new Badge(0).label("Notifications")).isEqualTo("Notifications");
        assertThat(new Badge(3).label("Notifications")).isEqualTo("Notifications, 3 unread");
        assertThat(new Badge(100).label("Notifications")).isEqualTo("Notifications, more than 99 unread");
    }
}
