package io.hiroba.platform;

import io.hiroba.platform.i18n.Text;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stack of opened resources, closed in reverse order even if some of them fail to close. */
public final class ResourceStack implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ResourceStack.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private boolean closed;

    /** Adds {@code resource}. If the stack is closed already, the resource is closed at once, and the start ends. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        if (closed) {
            closeOne(resource);
            throw new StartException(Text.of("server.start.stopped"));
        }
        opened.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!opened.isEmpty()) {
            closeOne(opened.pop());
        }
    }

    private static void closeOne(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            log.warn("{} did not close cleanly", resource.getClass().getSimpleName(), e);
        }
    }
}
