package io.hiroba.platform.events;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A commit signal for all nodes, through Redis. While Redis is unavailable, other nodes see events at their next poll. */
public final class RedisCommitSignal extends CommitSignal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisCommitSignal.class);
    private static final String CHANNEL = "hiroba:events";

    private final String self = UUID.randomUUID().toString();
    private final RedisClient client;
    private final StatefulRedisPubSubConnection<String, String> subscriber;
    private final StatefulRedisPubSubConnection<String, String> publisher;

    /**
     * Connects to the Redis at {@code url}; a connection that is lost later is restored.
     *
     * @throws io.lettuce.core.RedisException if it cannot be reached
     */
    public static RedisCommitSignal connect(String url) {
        var client = RedisClient.create(url);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        try {
            return new RedisCommitSignal(client);
        } catch (RuntimeException e) {
            client.shutdown();
            throw e;
        }
    }

    private RedisCommitSignal(RedisClient client) {
        this.client = client;
        subscriber = client.connectPubSub();
        publisher = client.connectPubSub();
        subscriber.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                received(message);
            }
        });
        subscriber.sync().subscribe(CHANNEL);
    }

    @Override
    public void raise(Appended appended) {
        raiseLocally(appended);
        var message =
                self + " " + appended.partitions().stream().map(String::valueOf).collect(Collectors.joining(","));
        publisher.async().publish(CHANNEL, message).whenComplete((received, failure) -> {
            if (failure != null) {
                log.debug("a signal was not published to Redis; other nodes will poll", failure);
            }
        });
    }

    private void received(String message) {
        int space = message.indexOf(' ');
        if (space < 0 || message.startsWith(self)) {
            return;
        }
        try {
            var partitions = Arrays.stream(message.substring(space + 1).split(",", -1))
                    .map(Integer::valueOf)
                    .collect(Collectors.toSet());
            raiseLocally(new Appended(partitions, Set.of()));
        } catch (NumberFormatException e) {
            log.warn("ignored a malformed message on {}", CHANNEL);
        }
    }

    @Override
    public void close() {
        subscriber.close();
        publisher.close();
        client.shutdown();
    }
}
