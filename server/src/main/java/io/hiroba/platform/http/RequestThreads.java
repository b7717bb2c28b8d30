package io.hiroba.platform.http;

import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.TryExecutor;

/**
 * The threads that requests run on. Most are short and wait for the database only, which a thread of the operating system
 * does at two thirds of a virtual one's cost (ADR 45). Where {@link #MOST} are busy, with slow readers or slow senders,
 * further requests get virtual threads: nobody waits for another's connection.
 */
final class RequestThreads extends AbstractLifeCycle implements ThreadPool, TryExecutor {

    /** More than enough to keep all connections to a database busy. */
    private static final int MOST = 64;

    private static final Duration KEPT_IDLE = Duration.ofMinutes(1);

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            MOST,
            KEPT_IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().name("http-", 0).factory(),
            (task, full) -> Thread.ofVirtual().name("http, more").start(task));

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Has a thread that waits for work do the task, or nobody. */
    @Override
    public boolean tryExecute(Runnable task) {
        return threads.getQueue().offer(task);
    }

    @Override
    public void join() throws InterruptedException {
        threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public int getThreads() {
        return threads.getPoolSize();
    }

    @Override
    public int getIdleThreads() {
        return threads.getPoolSize() - threads.getActiveCount();
    }

    /** Never: there are always virtual ones. */
    @Override
    public boolean isLowOnThreads() {
        return false;
    }

    @Override
    protected void doStop() {
        threads.shutdown();
    }
}
