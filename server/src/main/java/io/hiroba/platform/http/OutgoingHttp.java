package io.hiroba.platform.http;

import java.time.Duration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Starts clients for addresses that people give: they connect only where {@link SafeAddressResolver} lets them. */
public final class OutgoingHttp {

    /** The maximum size of headers, which are in memory as a whole. */
    private static final int MAX_HEADERS_SIZE = 32 * 1024;

    private OutgoingHttp() {}

    /** A started client that follows no redirects and keeps no cookies, to be stopped by the caller. */
    public static HttpClient start(String name, Duration timeout, SafeAddressResolver addresses) {
        var client = new HttpClient();
        var threads = new QueuedThreadPool(16, 2);
        threads.setName(name);
        client.setExecutor(threads);
        client.setSocketAddressResolver(addresses);
        client.setFollowRedirects(false);
        client.setMaxResponseHeadersSize(MAX_HEADERS_SIZE);
        client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "Hiroba"));
        // No cookies: those of one user's address must not be sent with another's.
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setConnectTimeout(timeout.toMillis());
        client.setAddressResolutionTimeout(timeout.toMillis());
        client.setIdleTimeout(timeout.toMillis());
        client.setDestinationIdleTimeout(60_000);
        try {
            client.start();
        } catch (Exception e) {
            throw new IllegalStateException("The client " + name + " cannot be started", e);
        }
        return client;
    }
}
