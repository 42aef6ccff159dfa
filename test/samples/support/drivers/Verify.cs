using System;

/// <summary>Answers each line of a case with true or false; false for a secret that cannot be used.</summary>
public static class Verify
{
    public static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var parts = line.Split('\t');
            var body = Convert.FromBase64String(parts[4]);
            bool answer;
            try
            {
                answer = WebhookSignature.IsSigned(parts[0], parts[1], parts[2], parts[3], body, long.Parse(parts[5]));
            }
            catch (FormatException)
            {
                answer = false;
            }
            Console.WriteLine(answer ? "true" : "false");
        }
    }
}
