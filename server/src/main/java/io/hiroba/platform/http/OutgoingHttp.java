package io.hiroba.platform.http;

import java.time.Duration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client for addresses that people give: it connects only where {@link SafeAddressResolver} lets it. */
public final class OutgoingHttp implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutgoingHttp.class);

    /** The maximum size of headers, which are in memory as a whole. */
    private static final int MAX_HEADERS_SIZE = 32 * 1024;

    private final String name;
    private final Duration timeout;
    private final SafeAddressResolver addresses;
    private @Nullable HttpClient client;

    public OutgoingHttp(String name, Duration timeout, SafeAddressResolver addresses) {
        this.name = name;
        this.timeout = timeout;
        this.addresses = addresses;
    }

    /** The client, which follows no redirects and keeps no cookies; started with the first request: most nodes never need it. */
    public synchronized HttpClient client() {
        if (client == null) {
            client = started();
        }
        return client;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            try {
                client.stop();
            } catch (Exception e) {
                LOG.warn("The client {} cannot be stopped", name, e);
            }
        }
    }

    private HttpClient started() {
        var made = new HttpClient();
        var threads = new QueuedThreadPool(16, 2);
        threads.setName(name);
        made.setExecutor(threads);
        made.setSocketAddressResolver(addresses);
        made.setFollowRedirects(false);
        made.setMaxResponseHeadersSize(MAX_HEADERS_SIZE);
        made.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "Hiroba"));
        // No cookies: those of one user's address must not be sent with another's.
        made.setHttpCookieStore(new HttpCookieStore.Empty());
        made.setConnectTimeout(timeout.toMillis());
        made.setAddressResolutionTimeout(timeout.toMillis());
        made.setIdleTimeout(timeout.toMillis());
        made.setDestinationIdleTimeout(60_000);
        try {
            made.start();
        } catch (Exception e) {
            throw new IllegalStateException("The client " + name + " cannot be started", e);
        }
        return made;
    }
}
