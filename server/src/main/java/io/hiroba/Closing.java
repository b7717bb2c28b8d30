package io.hiroba;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, to be closed in the reverse order, whatever fails on the way. */
final class Closing implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            var resource = opened.pop();
            try {
                resource.close();
            } catch (Exception e) {
                log.warn("{} did not close cleanly", resource.getClass().getSimpleName(), e);
            }
        }
    }
}
