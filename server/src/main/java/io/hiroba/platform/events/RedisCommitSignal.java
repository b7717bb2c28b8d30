package io.hiroba.platform.events;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A commit signal for all nodes, through Redis. While Redis is unavailable, other nodes see changes at their next poll. */
public final class RedisCommitSignal extends SharedCommitSignal {

    private static final Logger log = LoggerFactory.getLogger(RedisCommitSignal.class);
    private static final Duration SEND_INTERVAL = Duration.ofMillis(2);
    private static final String CHANNEL = "hiroba:signals";

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
        super(SEND_INTERVAL, Duration.ZERO);
        this.client = client;
        subscriber = client.connectPubSub();
        publisher = client.connectPubSub();
        subscriber.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                received(message);
            }

            @Override
            public void subscribed(String channel, long count) {
                // Also after a lost connection, during which signals were lost.
                receiveAll();
            }
        });
        subscriber.sync().subscribe(CHANNEL);
    }

    @Override
    void publish(List<String> messages) {
        for (var message : messages) {
            publisher.async().publish(CHANNEL, message).whenComplete((received, failure) -> {
                if (failure != null) {
                    log.debug("a signal was not published to Redis; other nodes will poll", failure);
                }
            });
        }
    }

    @Override
    public void close() {
        super.close();
        subscriber.close();
        publisher.close();
        client.shutdown();
    }
}
