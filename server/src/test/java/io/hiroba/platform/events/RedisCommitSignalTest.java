package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.RedisServer;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class RedisCommitSignalTest {

    @Test
    void aRingOnOneNodeIsHeardOnTheOther() {
        var here = new ConcurrentLinkedQueue<Set<String>>();
        var there = new ConcurrentLinkedQueue<Set<String>>();
        try (var redis = RedisServer.start();
                var first = RedisCommitSignal.connect(redis.url());
                var second = RedisCommitSignal.connect(redis.url())) {
            first.listen("events", here::add);
            second.listen("events", there::add);
            first.raise("events", Set.of("3", "200"));
            await().untilAsserted(() -> assertThat(there).contains(Set.of("3", "200")));
            assertThat(here)
                    .filteredOn(keys -> !keys.contains(CommitSignal.ANY))
                    .as("heard at home once, not again through Redis")
                    .containsExactly(Set.of("3", "200"));
        }
    }

    @Test
    void withoutRedisTheNodeStillHearsItself() {
        var here = new ConcurrentLinkedQueue<Set<String>>();
        var redis = RedisServer.start();
        try (var signal = RedisCommitSignal.connect(redis.url())) {
            signal.listen("events", here::add);
            redis.close();
            signal.raise("events", Set.of("9"));
            assertThat(here).contains(Set.of("9"));
        }
    }

    @Test
    void aBellIsHeardAgainWhenRedisComesBack() {
        var there = new ConcurrentLinkedQueue<Set<String>>();
        var redis = RedisServer.start();
        try (var first = RedisCommitSignal.connect(redis.url());
                var second = RedisCommitSignal.connect(redis.url())) {
            second.listen("events", there::add);
            redis.close();
            try (var again = RedisServer.startOn(redis.port())) {
                assertThat(again.port()).isEqualTo(redis.port());
                await().until(() -> {
                    first.raise("events", Set.of("1"));
                    return !there.isEmpty();
                });
            }
        }
    }
}
